import { apply } from "/webtools/polyfill.js";

const query = new URLSearchParams(location.search);

// ?cancelling: behave as Chromium up to 152, which loses the calls of a tool that goes.
if (query.has("cancelling")) {
  apply(document, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
}
// ?polyfill: it is there before the library looks for it.
if (query.has("polyfill")) apply(document);
const { webtools } = await import("/webtools/webtools.js");

/** How many times the browser was asked to register a tool of that name. */
window.registered = {};
const { modelContext } = document;
if (modelContext) {
  const registerTool = modelContext.registerTool.bind(modelContext);
  modelContext.registerTool = (tool, options) => {
    window.registered[tool.name] = (window.registered[tool.name] ?? 0) + 1;
    return registerTool(tool, options);
  };
}

/** Each step lets one waiting call go on. */
window.waiting = [];
window.contexts = [];
const step = () => new Promise((resolve) => window.waiting.push(resolve));

window.definition = (name, description = "What JavaScript does.") => ({
  name,
  description,
  inputSchema: { type: "object", properties: { action: { type: "string" } } },
});

window.handler = async ({ action = "read" }, context) => {
  window.contexts.push(context);
  if (action === "wait") await step();
  if (action === "release") window.holds.panel.release();
  if (action === "guarded") {
    await step();
    context.ensureCurrent();
  }
  return `${action}: done`;
};

window.holds = {};
window.hold = (key, name = key, description = undefined, options = undefined) => {
  window.holds[key] = webtools.define(
    window.definition(name, description),
    (input, context) => window.handler(input, context),
    options,
  );
};
window.goOn = () => window.waiting.splice(0).forEach((resolve) => resolve());
document.documentElement.dataset.ready = "yes";
