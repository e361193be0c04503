// Keeps what the page is told of its calls.
import { webtools } from "/webtools/webtools.js";

window.told = [];
for (const type of ["callstart", "callprogress", "callend"]) {
  webtools.addEventListener(type, ({ detail }) => window.told.push([type, detail]));
}

webtools.define(
  { name: "count_in_page", description: "Count in JavaScript.", inputSchema: { type: "object" } },
  async (_, { progress }) => {
    progress({ message: "one", done: 1, total: 2 });
    await Promise.resolve();
    progress({ done: 2, total: 2 });
    return "counted";
  },
);

webtools.expose("thrower", {
  go() {
    throw new Error("of the page's own");
  },
});
