/**
 * The table of scripts (lifecycle.md), with Python taking over before, between and after the steps of each.
 *
 * Every case has a document of its own, in a frame, and a host of its own in the one interpreter.
 */
import { bootPython } from "/webtools/boot.js";
import { Border } from "/webtools/border.js";
import { apply } from "/webtools/polyfill.js";

const isNative = new URLSearchParams(location.search).has("native");
const GRACE_MS = 500;
/** Timers may be that early. */
const EARLY_MS = 2;

/** How many cases of a script run beside each other; the polling of many more would leave the page no time. */
const AT_ONCE = 10;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const deferred = () => Promise.withResolvers();

async function until(what, condition) {
  for (const began = performance.now(); performance.now() - began < 10_000; await sleep(5)) {
    if (await condition()) return;
  }
  throw new Error(`waited in vain: ${what}`);
}

const python = bootPython(new URL("/webtools/runtime/", location.href).href);

/** What a script drives. */
class Rig {
  /** `["register" | "unregister", name, ms]` of all that the browser was asked for. */
  traffic = [];
  /** The tools of this frame; a native context lists those of the others, too. */
  list = async () => [];
  /** By the number of the registration, how many ms late it is rejected. */
  rejects = {};
  holds = {};
  calls = {};
  problems = [];

  constructor() {
    this.frame = document.createElement("iframe");
    document.body.append(this.frame);
    const doc = this.frame.contentDocument;
    if (!isNative) apply(doc, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
    this.context = doc.modelContext;
    this.#watch();
    this.border = new Border(new Map(), {
      onState() {},
      onNeed() {},
      onCallStart() {},
      onCallEnd() {},
      onDeath: (error) => this.problems.push(`Python died: ${error}`),
    });
    this.border.expectPython();
  }

  #watch() {
    const real = this.context.registerTool.bind(this.context);
    const list = this.context.getTools.bind(this.context);
    this.list = async () =>
      (await list()).filter((tool) => tool.window === this.frame.contentWindow);
    // the border looks for the tools of its own window
    this.context.getTools = async () =>
      (await this.list()).map(({ name, description }) => ({ name, description, window }));
    let count = 0;
    this.context.registerTool = (tool, options) => {
      const late = this.rejects[(count += 1)];
      this.traffic.push(["register", tool.name, performance.now()]);
      options.signal.addEventListener("abort", () =>
        this.traffic.push(["unregister", tool.name, performance.now()]),
      );
      if (late === undefined) return real(tool, options);
      return sleep(late).then(() => Promise.reject(new Error("late")));
    };
  }

  attachContext() {
    this.border.attachContext(this.context);
  }

  arrive(host) {
    this.host = host.start(this.border.port, false, "off");
    this.border.attach(this.host);
  }

  // What scripts say

  /** Hold a tool; `key` is the hold's, `name` the tool's. */
  hold(key, { name = key, description = "d", value = key, exposedTo } = {}) {
    const definition = { name, description, ...(exposedTo && { exposedTo }) };
    this.holds[key] = this.border.holds.define(definition, this.#handler(key, value));
  }

  /** Begin to come to a route that holds a tool; it waits for `come`. */
  navigate(name) {
    const waited = deferred();
    const gone = this.border.routes.navigate(async (route) => {
      await waited.promise;
      route.define({ name, description: "d" }, this.#handler(name, name));
    });
    this.route = { waited, gone };
  }

  come() {
    this.route.waited.resolve();
    return this.route.gone;
  }

  #handler(key, value) {
    return async ({ call, how }, context) => {
      const waited = (this.calls[call].waited = deferred());
      this.calls[call].context = context;
      this.calls[call].entered.resolve();
      if (how === "release") this.holds[key].release();
      if (how === "raise") throw new Error("of the handler's own");
      if (how === "wait") await waited.promise;
      this.calls[call].settledAt = performance.now();
      return value;
    };
  }

  release(key) {
    this.holds[key].release();
  }

  registered(name) {
    return until(`${name} is listed`, () => this.#listed(name));
  }

  async #listed(name) {
    return (await this.list()).find((tool) => tool.name === name);
  }

  /** Call a listed tool; resolves once its handler is entered, or it is answered. */
  async call(call, name, how = "wait") {
    const tool = await this.#listed(name);
    if (!tool) throw new Error(`${name} is not there to be called`);
    const entered = deferred();
    const answer = this.context.executeTool(tool, { call, how }).then(
      (text) => {
        const { content, structuredContent } = JSON.parse(text);
        return structuredContent?.error?.code ?? content[0].text;
      },
      (error) => `lost: ${error.name}`,
    );
    this.calls[call] = { entered, answer };
    await Promise.race([entered.promise, answer]);
  }

  finish(call) {
    this.calls[call].waited.resolve();
  }

  // What a script expects

  async expect({ calls = {}, traffic, states, after = {} }) {
    const asked = () => this.traffic.map(([what, name]) => `${what} ${name}`).join(", ");
    const state = () =>
      this.border
        .states()
        .map((each) => `${each.name} ${each.state}`)
        .join(", ");
    for (const [call, answer] of Object.entries(calls)) {
      this.#same(`the answer of ${call}`, await this.calls[call].answer, answer);
    }
    await until(`states ${states}, not ${state()}`, () => state() === states.join(", "));
    this.#same("the traffic", asked(), traffic.join(", "));
    for (const [name, call] of Object.entries(after)) {
      const gone = this.traffic.find((each) => each[0] === "unregister" && each[1] === name)?.[2];
      const waited = gone - this.calls[call].settledAt;
      if (!(waited >= GRACE_MS - EARLY_MS)) {
        this.problems.push(`${name} left ${waited} ms after ${call} settled`);
      }
    }
    const inFlight = this.border.states().reduce((sum, each) => sum + each.inFlight, 0);
    this.#same("the calls in flight", inFlight, 0);
  }

  #same(what, found, wanted) {
    if (found !== wanted) this.problems.push(`${what}: ${found}, not ${wanted}`);
  }

  close() {
    this.host?.close();
    this.frame.remove();
  }
}

const attach = (rig) => rig.attachContext();
const hold = (key, options) => (rig) => rig.hold(key, options);
const release = (key) => (rig) => rig.release(key);
const registered = (name) => (rig) => rig.registered(name);
const call =
  (...args) =>
  (rig) =>
    rig.call(...args);
const navigate = (name) => (rig) => rig.navigate(name);
const come = (rig) => rig.come();
const finish = (key) => (rig) => rig.finish(key);
const pause = (ms) => () => sleep(ms);
const current = (key, wanted) => (rig) => {
  const found = rig.calls[key].context.isCurrent();
  if (found !== wanted) rig.problems.push(`${key} is ${found ? "" : "not "}current`);
};
const many = (count, make) => Array.from({ length: count }, (_, i) => make(`t${i}`));

/** `steps` run in their order; those that return no promise in one tick. */
const SCRIPTS = {
  w1: {
    steps: [attach, hold("a"), release("a"), hold("a")],
    ends: { traffic: ["register a"], states: ["a registered"] },
  },
  w2: {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      call("x", "a"),
      current("x", true),
      release("a"),
      pause(100),
      current("x", false),
      finish("x"),
    ],
    ends: {
      calls: { x: "a" },
      traffic: ["register a", "unregister a"],
      states: [],
      after: { a: "x" },
    },
  },
  w3: {
    steps: [attach, hold("a"), registered("a"), call("x", "a", "release")],
    ends: {
      calls: { x: "a" },
      traffic: ["register a", "unregister a"],
      states: [],
      after: { a: "x" },
    },
  },
  w4: {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      call("x", "a"),
      call("y", "a"),
      release("a"),
      finish("x"),
      pause(200),
      finish("y"),
    ],
    ends: {
      calls: { x: "a", y: "a" },
      traffic: ["register a", "unregister a"],
      states: [],
      after: { a: "y" },
    },
  },
  w5: {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      call("x", "a"),
      finish("x"),
      release("a"),
      pause(100),
      hold("a"),
    ],
    ends: { calls: { x: "a" }, traffic: ["register a"], states: ["a registered"] },
  },
  w6: {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      call("x", "a"),
      hold("new", { name: "a", description: "another" }),
      release("a"),
      call("y", "a"),
      pause(100),
      finish("x"),
    ],
    ends: {
      calls: { x: "a", y: "TOOL_CHANGED" },
      traffic: ["register a", "unregister a", "register a"],
      states: ["a registered"],
      after: { a: "x" },
    },
  },
  w7: {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      hold("new", { name: "a", value: "newer" }),
      call("x", "a", "answer"),
      release("new"),
      call("y", "a", "answer"),
    ],
    ends: { calls: { x: "newer", y: "a" }, traffic: ["register a"], states: ["a registered"] },
  },
  w8: {
    steps: [hold("a"), release("a"), attach],
    ends: { traffic: [], states: [] },
  },
  "holds that wait": {
    steps: [hold("a"), hold("b"), hold("c"), attach],
    ends: {
      traffic: ["register a", "register b", "register c"],
      states: ["a registered", "b registered", "c registered"],
    },
  },
  w13: {
    steps: [
      attach,
      ...many(5, (name) => hold(name)),
      registered("t4"),
      ...many(5, (name) =>
        hold(`${name} new`, { name, description: name === "t2" ? "another" : "d" }),
      ),
      ...many(5, (name) => release(name)),
    ],
    ends: {
      traffic: [...many(5, (name) => `register ${name}`), "unregister t2", "register t2"],
      states: many(5, (name) => `${name} registered`),
    },
  },
  w14: {
    steps: [attach, hold("a"), registered("a"), call("x", "a", "raise"), release("a")],
    ends: {
      calls: { x: "TOOL_HANDLER_ERROR" },
      traffic: ["register a", "unregister a"],
      states: [],
    },
  },
  w17: {
    steps: [
      attach,
      ...many(20, (name) => hold(name)),
      ...many(20, (name) => release(name)),
      ...many(20, (name) => hold(name)),
    ],
    ends: {
      traffic: many(20, (name) => `register ${name}`),
      states: many(20, (name) => `${name} registered`),
    },
  },
  w18: {
    steps: [attach, hold("a"), release("a")],
    ends: { traffic: ["register a", "unregister a"], states: [] },
  },
  w20: {
    steps: [attach, hold("a"), registered("a"), release("a")],
    ends: { traffic: ["register a", "unregister a"], states: [] },
  },
  "a remount in one tick": {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      call("x", "a"),
      release("a"),
      hold("a"),
      current("x", true),
      pause(50),
      current("x", true),
      finish("x"),
    ],
    ends: { calls: { x: "a" }, traffic: ["register a"], states: ["a registered"] },
  },
  "a route that names its tool again": {
    steps: [
      attach,
      navigate("a"),
      come,
      registered("a"),
      call("x", "a"),
      navigate("a"),
      current("x", false),
      call("y", "a"),
      pause(50),
      come,
      current("x", false),
      call("z", "a"),
      current("z", true),
      finish("x"),
      finish("z"),
    ],
    ends: {
      calls: { x: "a", y: "STALE_TOOL_CALL", z: "a" },
      traffic: ["register a"],
      states: ["a registered"],
    },
  },
  "a route with other tools": {
    steps: [
      attach,
      navigate("a"),
      come,
      registered("a"),
      call("x", "a"),
      navigate("b"),
      come,
      finish("x"),
    ],
    ends: {
      calls: { x: "a" },
      traffic: ["register a", "register b", "unregister a"],
      states: ["b registered"],
      after: { a: "x" },
    },
  },
  "a refused call": {
    steps: [
      attach,
      hold("a"),
      registered("a"),
      call("x", "a"),
      release("a"),
      call("y", "a"),
      finish("x"),
    ],
    ends: {
      calls: { x: "a", y: "STALE_TOOL_CALL" },
      traffic: ["register a", "unregister a"],
      states: [],
      after: { a: "x" },
    },
  },
  w15: {
    rejects: { 1: 50 },
    steps: [attach, hold("a"), release("a"), pause(10), hold("a"), pause(100)],
    ends: { states: ["a registered"] },
  },
  w16: {
    steps: [
      attach,
      hold("bad", { name: "a", exposedTo: ["no origin"] }),
      pause(100),
      hold("a"),
      release("bad"),
      pause(100),
    ],
    ends: { traffic: ["register a", "register a"], states: ["a registered"] },
  },
};

async function runCase(script, arrival) {
  const { steps, ends, rejects = {} } = SCRIPTS[script];
  const host = (await python).pyodide.pyimport("webtools.browser.host");
  const rig = new Rig();
  Object.assign(rig.rejects, rejects);
  try {
    for (let i = 0; i <= steps.length; i += 1) {
      if (i === arrival) rig.arrive(host);
      const running = steps[i]?.(rig);
      if (running) await running;
    }
    await rig.expect({ traffic: rig.traffic.map(([what, name]) => `${what} ${name}`), ...ends });
  } catch (error) {
    rig.problems.push(`${error}; ${JSON.stringify(rig.traffic)}`);
  } finally {
    rig.close();
  }
  return rig.problems.map((problem) => `${script}, Python before step ${arrival}: ${problem}`);
}

window.scripts = Object.keys(SCRIPTS);

/** Resolves with all that went wrong, and how many cases there were. */
window.runScript = async (script) => {
  const arrivals = Array.from({ length: SCRIPTS[script].steps.length + 1 }, (_, i) => i);
  const problems = [];
  for (let from = 0; from < arrivals.length; from += AT_ONCE) {
    const some = arrivals.slice(from, from + AT_ONCE);
    problems.push(...(await Promise.all(some.map((arrival) => runCase(script, arrival)))));
  }
  return { cases: arrivals.length, problems: problems.flat() };
};

await python;
document.documentElement.dataset.ready = "yes";
