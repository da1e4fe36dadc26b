/** Where the stones of a heap lie: the same for the same number, so that nothing jumps about. */

/**
 * Places within an ellipse, in layers when there are many.
 * @param {number} n
 * @param {number} rx
 * @param {number} ry
 * @returns {{x: number, y: number}[]}
 */
export function stonePlaces(n, rx, ry) {
  if (n === 1) return [{ x: 0, y: 0 }];
  const golden = Math.PI * (3 - Math.sqrt(5));
  // Stones of radius 10 touch if they fill the ellipse; fewer keep closer together.
  const spread = Math.min(1, Math.sqrt(n / 9) * 0.95);
  return Array.from({ length: n }, (_, i) => {
    const radius = Math.sqrt((i + 0.5) / n) * spread;
    const angle = i * golden + n * 0.7;
    return { x: Math.cos(angle) * radius * rx, y: Math.sin(angle) * radius * ry };
  });
}
