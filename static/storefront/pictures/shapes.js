/**
 * The alphabet of the drawings: plain data, so that a picture can be looked at and tested without a DOM.
 *
 * A role names a colour of the product's palette: `a` main, `b` its shade, `c` accent, `d` light; `k` and `w` are ink and paper.
 *
 * @typedef {"a" | "b" | "c" | "d" | "k" | "w"} Role
 * @typedef {{tag: "path" | "rect" | "circle" | "ellipse", fill: Role | null, stroke: Role | null, attributes: Record<string, string | number>}} Shape
 * @typedef {{alt: string, shapes: Shape[]}} Drawing
 */

/** @param {Role} fill @param {string} d @returns {Shape} */
export const area = (fill, d) => ({ tag: "path", fill, stroke: null, attributes: { d } });

/** @param {Role} stroke @param {number} width @param {string} d @returns {Shape} */
export const line = (stroke, width, d) => ({
  tag: "path",
  fill: null,
  stroke,
  attributes: { d, strokeWidth: width },
});

/** @param {Role} fill @param {number} x @param {number} y @param {number} width @param {number} height @param {number} [rx] @returns {Shape} */
export const box = (fill, x, y, width, height, rx = 0) => ({
  tag: "rect",
  fill,
  stroke: null,
  attributes: { x, y, width, height, rx },
});

/** @param {Role} fill @param {number} cx @param {number} cy @param {number} r @returns {Shape} */
export const disc = (fill, cx, cy, r) => ({
  tag: "circle",
  fill,
  stroke: null,
  attributes: { cx, cy, r },
});

/** @param {Role} stroke @param {number} width @param {number} cx @param {number} cy @param {number} r @returns {Shape} */
export const ring = (stroke, width, cx, cy, r) => ({
  tag: "circle",
  fill: null,
  stroke,
  attributes: { cx, cy, r, strokeWidth: width },
});

/** @param {Role} fill @param {number} cx @param {number} cy @param {number} rx @param {number} ry @returns {Shape} */
export const oval = (fill, cx, cy, rx, ry) => ({
  tag: "ellipse",
  fill,
  stroke: null,
  attributes: { cx, cy, rx, ry },
});
