// A page in which every tab writes to one list.
import { webtools } from "/webtools/webtools.js";

const read = () => JSON.parse(localStorage.getItem("written") ?? "[]");

webtools.expose("store", {
  append(text) {
    localStorage.setItem("written", JSON.stringify([...read(), text]));
  },
});

window.read = read;
window.frozen = [];
for (const type of ["freeze", "resume"]) {
  document.addEventListener(type, () => window.frozen.push(type));
}
addEventListener("pageshow", ({ persisted }) => {
  window.persisted = persisted;
});
