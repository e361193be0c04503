/** A tool of the page's own that comes and goes, and the keys that the page hears. */
import { define, hold } from "/webtools/webtools.js";

window.keys = [];
addEventListener("keydown", ({ key }) => window.keys.push(key));

class Panel {}

window.open_panel = () => {
  const definition = { name: "panel", description: "Read the panel." };
  window.panel = define(
    definition,
    () => new Promise((resolve) => (window.answer = () => resolve("read"))),
    {
      owner: new Panel(),
      resourceId: "panel-1",
    },
  );
};
window.misspell = () => hold("gret");
