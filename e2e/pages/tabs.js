// A page in which every tab writes to one list.
import { webtools } from "/webtools/webtools.js";

const read = () => JSON.parse(localStorage.getItem("written") ?? "[]");

webtools.expose("store", {
  append(text) {
    localStorage.setItem("written", JSON.stringify([...read(), text]));
  },
});

window.read = read;

// While it is deaf the tab does not hear that another one has taken over, like one that was frozen.
const { locks } = navigator;
const request = locks?.request.bind(locks);
if (locks) locks.request = (...args) => request(...args).catch(hearLater);

async function hearLater(error) {
  while (window.isDeaf) await new Promise((resolve) => setTimeout(resolve, 10));
  throw error;
}

Object.defineProperty(BroadcastChannel.prototype, "onmessage", {
  set(hear) {
    this.addEventListener("message", (event) => window.isDeaf || hear(event));
  },
});

addEventListener("pageshow", ({ persisted }) => {
  window.persisted = persisted;
});
