import { createElement as h } from "./vendor/react.js";
import { audio } from "./pictures/audio.js";
import { bags } from "./pictures/bags.js";
import { desk } from "./pictures/desk.js";
import { kitchen } from "./pictures/kitchen.js";
import { outdoor } from "./pictures/outdoor.js";
import { INK, PAPER, palettes } from "./pictures/palettes.js";
import { shoes } from "./pictures/shoes.js";

/**
 * @typedef {import("./pictures/shapes.js").Shape} Shape
 * @typedef {import("./pictures/shapes.js").Role} Role
 * @typedef {import("./pictures/palettes.js").Palette} Palette
 */

/** @type {Record<string, import("./pictures/shapes.js").Drawing>} */
const drawings = { ...audio, ...bags, ...desk, ...kitchen, ...outdoor, ...shoes };

/** @param {Palette} palette @param {Role | null} role */
function colour(palette, role) {
  if (role === null) return "none";
  if (role === "k") return INK;
  return role === "w" ? PAPER : palette[role];
}

/** @param {Palette} palette @param {Shape} shape @param {number} index */
function element(palette, { tag, fill, stroke, attributes }, index) {
  const paint = { fill: colour(palette, fill), stroke: colour(palette, stroke) };
  return h(tag, { key: index, ...attributes, ...paint });
}

/**
 * A product's picture, 200 units square.
 *
 * @param {{drawing: string, palette: string, className?: string}} props
 */
export function Picture({ drawing, palette: name, className = "picture" }) {
  const palette = palettes[name];
  const { alt, shapes } = drawings[drawing];
  const label = `${alt}, ${palette.label}`;
  return h(
    "svg",
    {
      className,
      viewBox: "0 0 200 200",
      role: "img",
      "aria-label": label,
      strokeLinecap: "round",
      strokeLinejoin: "round",
    },
    h("rect", { width: 200, height: 200, fill: palette.bg }),
    h("ellipse", { cx: 100, cy: 167, rx: 84, ry: 8, fill: palette.b, opacity: 0.28 }),
    shapes.map((shape, index) => element(palette, shape, index)),
  );
}
