import { apply } from "/webtools/polyfill.js";

const query = new URLSearchParams(location.search);

// ?polyfill: also where the browser has a model context.
if (query.has("polyfill")) apply(document, { force: true });
const { define } = await import("/webtools/webtools.js");

const tool = (name, more) => ({ name, description: `What ${name} does.`, ...more });

define(
  tool("echo", {
    title: "Echo",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    annotations: { readOnlyHint: true },
  }),
  ({ text }) => ({ said: text }),
);
define(tool("fail"), () => {
  throw Object.assign(new Error("There is no such thing."), { code: "NO_SUCH_THING" });
});
define(tool("work"), async (_, { progress, signal }) => {
  progress({ message: "half", done: 1, total: 2 });
  progress({ message: "all", done: 2, total: 2 });
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  document.title = "given up";
});
define(tool("title", { annotations: { readOnlyHint: true } }), () => document.title);
define(tool("open_drawer"), () => {
  define(tool("close_drawer"), () => "closed");
  return "opened";
});
define(tool("ask"), async (_, { confirm }) => `confirmed: ${await confirm("Do it?")}`);
define(tool("go"), ({ to }) => {
  location.assign(to);
  return new Promise(() => {});
});
