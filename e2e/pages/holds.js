import { apply } from "/webtools/polyfill.js";

// ?cancels: behave as Chromium up to 152, which loses the calls of a tool that goes.
if (new URLSearchParams(location.search).has("cancels")) {
  apply(document, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
}

window.changes = 0;
document.modelContext?.addEventListener("toolchange", () => {
  window.changes += 1;
});
