// Notes what the browser is asked for, and which calls reached their tool. It runs before webtools.
import { apply } from "/webtools/polyfill.js";

// ?cancels: behave as Chromium up to 152, which loses the calls of a tool that goes.
const isCancelling = new URLSearchParams(location.search).has("cancels");
apply(document, isCancelling ? { force: true, cancelsCalls: "onUnregister", postbackMs: 50 } : {});

/** `+name` for a registration, `-name` for its end. @type {string[]} */
window.traffic = [];

/** The tokens of the calls that entered a tool. */
window.entered = new Set();

const context = document.modelContext;
const register = context.registerTool.bind(context);
context.registerTool = (tool, options) => {
  window.traffic.push(`+${tool.name}`);
  options.signal.addEventListener("abort", () => window.traffic.push(`-${tool.name}`));
  const execute = (input, client) => {
    window.entered.add(input.token);
    return tool.execute(input, client);
  };
  return register({ ...tool, execute }, options);
};
