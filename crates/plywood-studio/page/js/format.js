/** Numbers and times for people. */

/** @param {number | null} n */
export function count(n) {
  if (n === null || !Number.isFinite(n)) return "–";
  if (n < 10_000) return Math.round(n).toLocaleString("en");
  const units = ["k", "M", "G", "T"];
  let unit = -1;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit += 1;
  }
  return `${n < 10 ? n.toFixed(2) : n < 100 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`;
}

/** @param {number} ms */
export function time(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** @param {number} value */
export function signed(value) {
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = size.toFixed(digits);
  if (Number(text) === 0) return "0";
  return (value < 0 ? "−" : "+") + (size >= 10_000 ? count(size) : text);
}

/** @param {string | number} when */
export function ago(when) {
  const date = typeof when === "number" && when < 1e12 ? new Date(when * 1000) : new Date(when);
  const seconds = (Date.now() - date.getTime()) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return date.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}
