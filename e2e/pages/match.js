import { expose } from "/webtools/webtools.js";
import { apply } from "/webtools/polyfill.js";

// ?cancels: behave as Chromium up to 152, which loses the calls of a tool that goes.
const isCancelling = new URLSearchParams(location.search).has("cancels");
apply(document, isCancelling ? { force: true, cancelsCalls: "onUnregister", postbackMs: 50 } : {});

// what the model context is asked for
window.traffic = [];
const context = document.modelContext;
const { registerTool } = context;
context.registerTool = (tool, options) => {
  window.traffic.push(`register ${tool.name}`);
  options.signal.addEventListener("abort", () => window.traffic.push(`unregister ${tool.name}`));
  return registerTool.call(context, tool, options);
};

expose("site", {
  go: (url) => history.pushState(null, "", url),
});
