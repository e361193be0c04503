import { define } from "/webtools/webtools.js";

window.levels = [];

define(
  {
    name: "zoom",
    description: "Zoom the map.",
    inputSchema: { type: "object", properties: { level: { type: "integer" } } },
  },
  ({ level }) => {
    window.levels.push(level);
    return { level };
  },
);
