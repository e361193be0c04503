import { expose } from "/webtools/webtools.js";

// ?refused: as where the browser lets nobody store anything for the tab
if (new URLSearchParams(location.search).has("refused")) {
  Object.defineProperty(window, "sessionStorage", {
    get: () => {
      throw new DOMException("no", "SecurityError");
    },
  });
}

/** What stands for the shop's server: it outlives the page. */
const placed = () => JSON.parse(localStorage.getItem("placed") ?? "[]");

/** @type {(() => void)[]} */
let waiting = [];

expose("shop", {
  place: (/** @type {string} */ sku) => {
    localStorage.setItem("placed", JSON.stringify([...placed(), sku]));
    return placed().length;
  },
  untilDelivered: () =>
    new Promise((/** @type {(value?: undefined) => void} */ resolve) => waiting.push(resolve)),
});

Object.assign(window, {
  placed,
  deliver: () => {
    for (const go of waiting) go();
    waiting = [];
  },
});
