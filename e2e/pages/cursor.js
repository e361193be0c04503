import { define, hold } from "/webtools/webtools.js";

/** What the page heard of its controls, and what the handler found in them. */
window.heard = [];
for (const type of ["input", "change", "click"]) {
  document.addEventListener(type, ({ target }) => window.heard.push([type, target.id]));
}

const schema = (properties) => ({ type: "object", properties });

define(
  {
    name: "js_search",
    title: "Search by JavaScript",
    description: "Search.",
    inputSchema: schema({ query: { type: "string" } }),
  },
  async ({ query }) => ({ query, shown: document.querySelector("#query").value }),
  {
    target: ({ query }) => document.querySelector(query === "far" ? "#far" : "#go"),
    fields: { query: () => document.querySelector("#query") },
  },
);

window.panel = hold("panel", { target: "#go" });
