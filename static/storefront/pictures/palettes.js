/**
 * Colours of the drawings; `bg` is the ground that a picture stands on.
 *
 * @typedef {{label: string, bg: string, a: string, b: string, c: string, d: string}} Palette
 */

export const INK = "#1c2440";
export const PAPER = "#fffdf8";

/** @type {Record<string, Palette>} */
export const palettes = {
  coral: {
    label: "coral red",
    bg: "#fbd9cf",
    a: "#e8573f",
    b: "#b93a2a",
    c: "#1d4e6b",
    d: "#fff1e6",
  },
  sea: { label: "sea blue", bg: "#cfe6ee", a: "#1f7a9c", b: "#125a78", c: "#f2a541", d: "#eaf6f8" },
  moss: {
    label: "moss green",
    bg: "#dbe8cf",
    a: "#5d8a4a",
    b: "#406634",
    c: "#e2703a",
    d: "#f3f6e4",
  },
  sand: { label: "sand", bg: "#f3e4c6", a: "#cf9f5d", b: "#a5763a", c: "#2f5d62", d: "#fff6e2" },
  plum: { label: "plum", bg: "#e9d8ea", a: "#7d4a86", b: "#5a3163", c: "#f0a35c", d: "#f9effa" },
  slate: {
    label: "slate grey",
    bg: "#d9dfe8",
    a: "#56647d",
    b: "#3c4860",
    c: "#ef6f53",
    d: "#f0f3f8",
  },
  butter: {
    label: "butter yellow",
    bg: "#faeab8",
    a: "#f0b62f",
    b: "#c98d12",
    c: "#27597a",
    d: "#fff8e0",
  },
  mint: { label: "mint", bg: "#cdebdf", a: "#3aa287", b: "#247763", c: "#e85d6c", d: "#ecfaf4" },
  rose: { label: "rose", bg: "#f9d8de", a: "#d65f7d", b: "#a8405d", c: "#2d5c70", d: "#fff0f2" },
  night: {
    label: "night blue",
    bg: "#d3daf0",
    a: "#2b3a70",
    b: "#1c2850",
    c: "#f2c14e",
    d: "#edf0fb",
  },
};
