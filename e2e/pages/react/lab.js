// Components that want tools, in every way in which components come and go; the tests say which.
import React, {
  Activity,
  Component,
  createElement as h,
  startTransition,
  StrictMode,
  Suspense,
  use,
  useEffect,
} from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { bindReact } from "webtools/react";

import { expose } from "/webtools/webtools.js";

const { useWebTool } = bindReact(React);

/** What a tool does when it is called with `{do: name}`; a test adds its own. */
const actions = {
  nothing: () => "done",
  wait: () => new Promise((resolve) => waiting.push(() => resolve("waited"))),
};

/** What lets each waiting call go on. */
const waiting = [];

/** How often an effect of a panel ran. */
const mounts = {};

const run = async (action, call) => (await actions[action](call)) ?? "done";
expose("lab", { run: (action) => run(action) });

const INPUT = {
  type: "object",
  properties: { do: { type: "string" }, token: { type: "integer" } },
};

/** The first argument of the hook, and its execute: a tool of Python's, or one of JavaScript's. */
const wanted = {
  python: ({ name }) => [name],
  js: ({ name, description = "Do it.", answer }) => [
    { name, description, inputSchema: INPUT },
    async (input, call) => {
      const done = await run(input.do ?? "nothing", call);
      return answer ?? done;
    },
  ],
};

function Panel(props) {
  const { name, kind = lab.kind, suspend, breaks, description, answer } = props;
  const { enabled, resourceId, perInstance } = props;
  const options = { enabled, resourceId, perInstance };
  const [subject, execute] = wanted[kind]({ name, description, answer });
  const result = useWebTool(subject, { ...options, execute });
  if (suspend) use(suspend);
  if (breaks) throw new Error("broken");
  useEffect(() => {
    mounts[name] = (mounts[name] ?? 0) + 1;
    dispatchEvent(new CustomEvent("mounted", { detail: name }));
  }, [name]);
  return h("output", { id: name }, JSON.stringify(result));
}

class Boundary extends Component {
  state = { isBroken: false };
  static getDerivedStateFromError = () => ({ isBroken: true });
  render() {
    return this.state.isBroken ? h("p", null, "broken") : this.props.children;
  }
}

function List({ tools, ...options }) {
  const items = tools.map((tool) => {
    const [subject, execute] = wanted[tool.kind ?? lab.kind](tool);
    return execute ? [subject, execute] : subject;
  });
  const result = useWebTool(items, options);
  return h("output", { id: "list" }, JSON.stringify(result));
}

const scenes = {
  Nothing: () => null,
  // another route is another tree
  Panels: ({ panels, route = "" }) =>
    h(
      "section",
      { key: route },
      panels.map((panel) => h(Panel, { key: panel.instance ?? panel.name, ...panel })),
    ),
  List,
  Suspended: (panel) => h(Suspense, { fallback: "…" }, h(Panel, panel)),
  Hidden: ({ mode, ...panel }) => h(Activity, { mode }, h(Panel, panel)),
  Guarded: (panel) => h(Boundary, null, h(Panel, panel)),
};

const root = createRoot(document.querySelector("#root"), { onCaughtError: () => {} });
const render = (scene, props) => root.render(h(StrictMode, null, h(scenes[scene], props)));

let token = 0;

const lab = {
  actions,
  mounts,

  /** Whose tools the panels want where they do not say: "python" or "js". */
  kind: "python",

  /** Show a scene, its effects included. */
  show: (scene, props) => flushSync(() => render(scene, props)),

  /** Show a scene when React finds the time, as a router does. */
  go: (scene, props) => startTransition(() => render(scene, props)),

  /** Resolves when a panel's effects run. */
  mounted: (name) =>
    new Promise((resolve) =>
      addEventListener("mounted", ({ detail }) => detail === name && resolve()),
    ),

  /** Let the calls that wait go on; how many there were. */
  goOn: () => waiting.splice(0).map((each) => each()).length,

  /** What an agent sees. */
  described: async () => {
    const tools = await document.modelContext.getTools();
    return tools.map(({ name, description }) => `${name}: ${description}`).join();
  },

  /** Call as an agent does; the promise never rejects. */
  call: async (name, action) => {
    const tools = await document.modelContext.getTools();
    const tool = tools.find((each) => each.name === name);
    if (!tool) return { absent: name };
    const input = { do: action, token: (token += 1) };
    return document.modelContext.executeTool(tool, input).then(JSON.parse, (error) => ({
      [window.entered.has(input.token) ? "lost" : "gone"]: error.name,
    }));
  },
};
window.lab = lab;
