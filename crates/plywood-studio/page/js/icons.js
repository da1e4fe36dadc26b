/** Drawings of buttons: strokes on a field of 24 by 24. */
export const ICONS = {
  first: "M18 6l-7 6 7 6M7 6v12",
  back: "M15 6l-7 6 7 6",
  forward: "M9 6l7 6-7 6",
  last: "M6 6l7 6-7 6M17 6v12",
  rotate: "M19 5v5h-5M18.4 10A7 7 0 1 0 19 14",
  flip: "M12 3v18M9 7L4 17h5zM15 7l5 10h-5z",
  check: "M5 13l5 5 9-11",
  close: "M6 6l12 12M18 6L6 18",
  play: "M8 5v14l11-7z",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1",
};
