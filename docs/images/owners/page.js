/** A page whose panels come and go, and their tools with them. */
import { holdWhile } from "/webtools/elements.js";

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} title @param {string} text @param {string} name @param {() => unknown} execute */
function panel(title, text, name, execute) {
  const element = document.createElement("section");
  const [heading, words] = [document.createElement("h2"), document.createElement("p")];
  heading.textContent = title;
  words.textContent = text;
  element.append(heading, words);
  holdWhile(element, { name, description: text }, { execute });
  return element;
}

const { webtools } = /** @type {{webtools: import("../../../static/host.js").Host}} */ (
  await import(/** @type {string} */ ("/webtools/webtools.js"))
);
await webtools.inspect();
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const map = panel("Map", "Zooms the map that the person sees.", "zoom_map", () => pause(1500));
const tides = panel("Tides", "Reads the tides of this harbour.", "read_tides", () => "high at 4");
const chat = panel("Pilot", "Calls the pilot.", "call_pilot", () => "on her way");

main.append(map, tides);
await pause(700);
webtools.call("zoom_map", {});
await pause(500);
map.remove(); // in the middle of the call
await pause(300);
main.append(chat);
tides.remove();
await pause(400);
main.prepend(tides);
await pause(300);
webtools.call("read_tides", {});
await pause(2200);
main.append(map);
await pause(500);
document.body.dataset.done = "";
