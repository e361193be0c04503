// Where the tab notes what was closed, and a tool in JavaScript.
import { define, expose } from "/webtools/webtools.js";

expose("notes", {
  write: (line) => {
    const lines = JSON.parse(sessionStorage.getItem("notes") ?? "[]");
    sessionStorage.setItem("notes", JSON.stringify([...lines, line]));
  },
});

define(
  { name: "theirs", description: "A tool in JavaScript.", inputSchema: { type: "object" } },
  () => "theirs",
);
