import { define, hold } from "/webtools/webtools.js";

const DEFINITION = { name: "js_pay", title: "Pay by JavaScript", description: "Pay." };

const handler = async (input, { confirm }) => {
  await confirm("Pay by JavaScript now?");
  window.paid.push(input);
  return "paid";
};

/** What the handlers did that are JavaScript. */
window.paid = [];

/** What the page holds, by the tool's name. */
window.holds = { panel: hold("panel"), js_pay: define(DEFINITION, handler) };

window.holdAgain = (name) => {
  window.holds[name].release();
  window.holds[name] = name === "panel" ? hold(name) : define(DEFINITION, handler);
};

/** How often the page heard Escape. */
window.escapes = 0;
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") window.escapes += 1;
});
