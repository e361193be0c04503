import { apply } from "/webtools/polyfill.js";

const query = new URLSearchParams(location.search);

// ?cancels: behave as Chromium up to 152, which loses the calls of a tool that goes.
if (query.has("cancels")) {
  apply(document, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
}

// ?shape={…}: behave as these options say.
const shape = query.get("shape");
if (shape) apply(document, { force: true, ...JSON.parse(shape) });

window.changes = 0;
document.modelContext?.addEventListener("toolchange", () => {
  window.changes += 1;
});
