import { createElement as h } from "../vendor/react.js";

/** @param {{className?: string}} props the pocket with a boat in it */
export function Mark({ className = "mark" }) {
  return h(
    "svg",
    { className, viewBox: "0 0 48 48", "aria-hidden": true, focusable: false },
    h("path", { className: "mark-pocket", d: "M6 4h36v24c0 10-8 17-18 17S6 38 6 28z" }),
    h("path", { fill: "#ffffff", d: "M22.5 9v17H11z" }),
    h("path", { fill: "#ff7a59", d: "M25.5 13v13H36z" }),
    h("path", {
      fill: "none",
      stroke: "#8fd3e0",
      strokeWidth: 3.5,
      strokeLinecap: "round",
      d: "M11 33c4.3-3.5 8.7-3.5 13 0s8.7 3.5 13 0",
    }),
  );
}

/** @type {Record<string, string>} strokes on a 24 unit square */
const ICONS = {
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20",
  cart: "M4 7h16v7c0 4-3.5 6-8 6s-8-2-8-6V7ZM8 10V7c0-5 8-5 8 0v3",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14 6l-6 6 6 6",
  chevron: "M6 15l6-6 6 6",
  send: "M12 20V5M5 12l7-7 7 7",
};

/** @param {{name: keyof typeof ICONS}} props decoration only; say it in words beside */
export function Icon({ name }) {
  return h(
    "svg",
    { className: "icon", viewBox: "0 0 24 24", "aria-hidden": true, focusable: false },
    h("path", { d: ICONS[name] }),
  );
}

const WAVES = [
  { y: 196, fill: "#3f9db8" },
  { y: 214, fill: "#23809f" },
  { y: 232, fill: "#155f80" },
];

/** @param {number} y @returns {string} a band of waves across the scene, down to its lower edge */
function waves(y) {
  const crests = Array.from({ length: 13 }, () => "q20 -12 40 0").join(" ");
  return `M-20 ${y} ${crests} V270 H-20 Z`;
}

/** @returns the harbour above the shelves */
export function Harbour() {
  const [far, middle, near] = WAVES.map(({ y, fill }) => h("path", { key: y, d: waves(y), fill }));
  return h(
    "svg",
    {
      className: "harbour",
      viewBox: "0 0 480 260",
      preserveAspectRatio: "xMidYMid slice",
      "aria-hidden": true,
      strokeLinecap: "round",
    },
    h("path", { fill: "#bfe3ea", d: "M0 0H480V260H0Z" }),
    h("circle", { cx: 128, cy: 84, r: 40, fill: "#ffd27a" }),
    h("path", {
      fill: "#ffffff",
      opacity: 0.85,
      d: "M196 70c0-14 22-16 27-5 6-10 24-6 24 6 12-2 14 13 2 13h-49c-11 0-14-12-4-14Z",
    }),
    h("path", {
      fill: "#ffffff",
      opacity: 0.85,
      d: "M330 42c0-10 16-12 20-4 4-8 18-5 18 4 9-1 10 10 1 10h-36c-8 0-10-9-3-10Z",
    }),
    h("path", { fill: "#7fb7a3", d: "M0 196c30-34 84-38 122-12 24-20 60-22 88 12v20H0Z" }),
    h("path", { fill: "#57977f", d: "M0 204c22-22 62-24 90 0v16H0Z" }),
    far,
    h(
      "g",
      null,
      h("path", { fill: "#ffffff", d: "M262 92v92h-62Z" }),
      h("path", { fill: "#ff7a59", d: "M272 108v76h50Z" }),
      h("path", { stroke: "#1c2440", strokeWidth: 5, d: "M267 84v112" }),
      h("path", { fill: "#1c2f5e", d: "M196 194h136c-6 22-20 32-42 32h-54c-22 0-36-12-40-32Z" }),
      h("path", { fill: "#ffd27a", d: "M199 203h130l-4 8H203Z" }),
    ),
    middle,
    h("path", { fill: "#6b4a3a", d: "M384 206c8-22 96-22 96-22v76h-96Z" }),
    h("path", { fill: "#fffdf8", d: "M418 66h28l10 122h-48Z" }),
    h("path", { fill: "#e8573f", d: "M416 92h32l2.5 26h-37ZM411.5 144h41l2.5 26h-46Z" }),
    h("path", { fill: "#1c2440", d: "M412 58h40v10h-40ZM420 38h24v20h-24ZM432 20l16 18h-32Z" }),
    h("path", { fill: "#ffd27a", d: "M426 42h12v14h-12Z" }),
    near,
  );
}
