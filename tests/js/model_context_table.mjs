/**
 * Runs the entries of `tests/model_context.json` against a model context, in Node or in a page. The
 * language of the steps is described in `tests/model_context.md`.
 *
 * @typedef {{name: string, [member: string]: unknown}} Tool
 * @typedef {{text: string} | {error: string}} Outcome
 *
 * @typedef {object} Run What one entry has under way.
 * @property {any} modelContext
 * @property {Map<string, AbortController>} controllers by the name that the entry gave
 * @property {Map<string, AbortController>} live by the name of the tool that is registered
 * @property {Map<string, Tool>} handles the last listing of each tool
 * @property {Map<string, (() => void)[]>} pending what answers the handlers that wait, by tool
 * @property {Map<string, {controller: AbortController, outcome: Promise<Outcome>}>} calls
 * @property {string[]} events
 * @property {{seen: number, due: number}} changes `toolchange` events
 * @property {Set<() => void>} checks
 */

/** How long a failing run waits for what does not come; a passing one never does. */
const PATIENCE_MS = 2000;

/** The same for a check, which may have to load frames. */
const CHECK_PATIENCE_MS = 15_000;

/** The first key that a step has says what it is: `start` stands before `execute`. */
const STEPS = { register, abort, list, listed, start, execute, finish, cancel, settle, events };

/**
 * Runs one entry and leaves the context as it was, whatever happens.
 *
 * @param {{id: string, steps?: object[], check?: string}} requirement
 * @param {any} modelContext without tools
 * @param {(view: Window) => Promise<void>} [prepareFrame] gives a new frame its context, where that is not native
 * @returns {Promise<void>} rejects with the entry, the step, and what differs
 */
export async function runRequirement({ id, steps = [], check }, modelContext, prepareFrame) {
  if (check) return runCheck(id, check, prepareFrame);
  const run = newRun(modelContext);
  const stopListening = listen(run);
  try {
    for (const [index, step] of steps.entries()) {
      await runStep(run, step).catch((error) => {
        throw new Error(`${id}, step ${index + 1}, ${JSON.stringify(step)}: ${error.message}`, {
          cause: error,
        });
      });
    }
  } finally {
    await cleanUp(run).finally(stopListening);
  }
}

/** @param {string} id @param {string} name @param {(view: Window) => Promise<void>} [prepareFrame] */
async function runCheck(id, name, prepareFrame) {
  const { checks } = await import("./model_context_checks.mjs");
  const { releaseAll } = await import("./model_context_asserts.mjs");
  const { frameChecks, prepareFramesBy } = await import("./model_context_frames.mjs");
  const { formChecks } = await import("./model_context_forms.mjs");
  if (prepareFrame) prepareFramesBy(prepareFrame);
  /** @type {Record<string, () => unknown>} */
  const all = { ...checks, ...frameChecks, ...formChecks };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const end = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("waited in vain")), CHECK_PATIENCE_MS);
  });
  try {
    await Promise.race([all[name](), end]);
  } catch (error) {
    throw new Error(`${id}, ${name}: ${Object(error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    releaseAll();
  }
}

/** @param {any} modelContext @returns {Run} */
function newRun(modelContext) {
  return {
    modelContext,
    controllers: new Map(),
    live: new Map(),
    handles: new Map(),
    pending: new Map(),
    calls: new Map(),
    events: [],
    changes: { seen: 0, due: 0 },
    checks: new Set(),
  };
}

/** @param {Run} run @param {object} step */
async function runStep(run, step) {
  const [, action] = Object.entries(STEPS).find(([key]) => key in step) ?? [];
  if (!action) throw new Error("no such step");
  await action(run, /** @type {any} */ (step));
}

/**
 * @param {Run} run
 * @param {{register: Tool, signal?: string, exposedTo?: string[], handler?: unknown, expect?: string}} step
 */
async function register(run, step) {
  const { register: tool, signal, exposedTo, handler = "echo", expect = "ok" } = step;
  // A registration without a named signal gets one too, so that it can be cleaned up.
  const controller = signal ? controllerOf(run, signal) : new AbortController();
  const options = { signal: controller.signal, ...(exposedTo && { exposedTo }) };
  const execute = handlerOf(run, tool.name, handler);
  const registration = run.modelContext.registerTool({ ...tool, execute }, options);
  const outcome = await registration.then(() => "ok", errorName);
  if (outcome === "ok") {
    run.live.set(tool.name, controller);
    run.changes.due += 1;
    await remember(run);
  }
  same(outcome, expect);
}

/** @param {Run} run @param {{abort: string}} step */
async function abort(run, { abort: signal }) {
  unregister(run, controllerOf(run, signal));
}

/** @param {Run} run @param {{list: string[]}} step */
async function list(run, { list: names }) {
  const tools = await remember(run);
  same(
    tools.map(({ name }) => name),
    names,
  );
}

/** @param {Run} run @param {{listed: Tool}} step */
async function listed(run, { listed: expected }) {
  const tool = (await remember(run)).find(({ name }) => name === expected.name);
  const members = Object.keys(expected).map((member) => [member, tool?.[member] ?? null]);
  same(Object.fromEntries(members), expected);
}

/** @param {Run} run @param {{execute: string, input?: object, expect: object}} step */
async function execute(run, { execute: name, input = {}, expect }) {
  await remember(run);
  checkOutcome(await callTool(run, name, input, new AbortController()), expect);
}

/** @param {Run} run @param {{start: string, execute: string, input?: object}} step */
async function start(run, { start: call, execute: name, input = {} }) {
  await remember(run);
  const controller = new AbortController();
  const countPending = () => run.pending.get(name)?.length ?? 0;
  const before = countPending();
  run.calls.set(call, { controller, outcome: callTool(run, name, input, controller) });
  await waitUntil(
    run,
    () => countPending() > before,
    () => `the handler of "${name}"`,
  );
}

/** @param {Run} run @param {{finish: string}} step */
async function finish(run, { finish: name }) {
  const answer = run.pending.get(name)?.shift();
  if (!answer) throw new Error(`no handler of "${name}" is pending`);
  answer();
}

/** @param {Run} run @param {{cancel: string}} step */
async function cancel(run, { cancel: call }) {
  callOf(run, call).controller.abort();
}

/** @param {Run} run @param {{settle: string, expect: object}} step */
async function settle(run, { settle: call, expect }) {
  checkOutcome(await callOf(run, call).outcome, expect);
}

/** @param {Run} run @param {{events: string[]}} step */
async function events(run, { events: expected }) {
  const isDue = () => run.events.length >= expected.length;
  await waitUntil(run, isDue, () => `${expected.length} events, got ${canonical(run.events)}`);
  await run.modelContext.getTools();
  same(run.events.splice(0), expected);
}

/** @param {Run} run @param {string} name @param {unknown} kind @returns {(input: object, options: any) => unknown} */
function handlerOf(run, name, kind) {
  if (typeof kind === "object" && kind && "answer" in kind) return () => kind.answer;
  if (kind === "reject") return () => Promise.reject(new Error("the handler fails"));
  if (kind === "pending") return (input, options) => pend(run, name, input, options.signal);
  return (input) => input;
}

/** @param {Run} run @param {string} name @param {object} input @param {AbortSignal} signal */
function pend(run, name, input, signal) {
  signal.addEventListener("abort", () => note(run, `aborted ${name}`), { once: true });
  return new Promise((resolve) => {
    run.pending.set(name, [...(run.pending.get(name) ?? []), () => resolve(input)]);
    recheck(run);
  });
}

/**
 * @param {Run} run @param {string} name @param {object} input @param {AbortController} controller
 * @returns {Promise<Outcome>}
 */
async function callTool(run, name, input, controller) {
  const handle = run.handles.get(name);
  if (!handle) throw new Error(`no tool "${name}" was ever listed`);
  const answer = run.modelContext.executeTool(handle, input, { signal: controller.signal });
  return answer.then(
    (/** @type {string} */ text) => ({ text }),
    (/** @type {unknown} */ error) => ({ error: errorName(error) }),
  );
}

/** Lists the tools and keeps what was listed, so that a tool can be called when it is gone. @param {Run} run */
async function remember(run) {
  /** @type {Tool[]} */
  const tools = await run.modelContext.getTools();
  for (const tool of tools) run.handles.set(tool.name, tool);
  return tools;
}

/** @param {Run} run @param {AbortController} controller */
function unregister(run, controller) {
  for (const [name, owner] of run.live) {
    if (owner === controller && run.live.delete(name)) run.changes.due += 1;
  }
  controller.abort();
}

/** Leaves no tool, no call, and no event under way that the next entry would see. @param {Run} run */
async function cleanUp(run) {
  for (const controller of [...run.controllers.values(), ...run.live.values()])
    unregister(run, controller);
  for (const answers of run.pending.values()) answers.splice(0).forEach((answer) => answer());
  await Promise.all([...run.calls.values()].map(({ outcome }) => outcome.catch(() => {})));
  const { changes } = run;
  await waitUntil(
    run,
    () => changes.seen >= changes.due,
    () => `${changes.due} toolchange events`,
  );
}

/** @param {Run} run @returns {() => void} */
function listen(run) {
  const types = ["toolchange", "toolactivated", "toolcancel"];
  const listener = (/** @type {Event & {toolName?: string}} */ event) => {
    if (event.type === "toolchange") run.changes.seen += 1;
    note(run, event.toolName === undefined ? event.type : `${event.type} ${event.toolName}`);
  };
  for (const type of types) run.modelContext.addEventListener(type, listener);
  return () => types.forEach((type) => run.modelContext.removeEventListener(type, listener));
}

/** @param {Run} run @param {string} event */
function note(run, event) {
  run.events.push(event);
  recheck(run);
}

/** @param {Run} run */
function recheck(run) {
  run.checks.forEach((check) => check());
}

/**
 * @param {Run} run @param {() => boolean} condition @param {() => string} what
 * @returns {Promise<void>}
 */
function waitUntil(run, condition, what) {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (condition()) finish(resolve);
    };
    const timer = setTimeout(() => {
      finish(() => reject(new Error(`waited in vain for ${what()}`)));
    }, PATIENCE_MS);
    /** @param {() => void} settle */
    const finish = (settle) => {
      clearTimeout(timer);
      run.checks.delete(check);
      settle();
    };
    run.checks.add(check);
    check();
  });
}

/** @param {Run} run @param {string} signal */
function controllerOf(run, signal) {
  const controller = run.controllers.get(signal) ?? new AbortController();
  run.controllers.set(signal, controller);
  return controller;
}

/** @param {Run} run @param {string} id */
function callOf(run, id) {
  const call = run.calls.get(id);
  if (!call) throw new Error(`no call "${id}" was started`);
  return call;
}

/** @param {Outcome} outcome @param {{json?: unknown, text?: string, error?: string}} expect */
function checkOutcome(outcome, expect) {
  if ("json" in expect && "text" in outcome) same(JSON.parse(outcome.text), expect.json);
  else same(outcome, expect);
}

/** @param {unknown} error */
function errorName(error) {
  return error instanceof Error ? error.name : String(error);
}

/** @param {unknown} actual @param {unknown} expected */
function same(actual, expected) {
  const texts = [canonical(expected), canonical(actual)];
  if (texts[0] !== texts[1]) throw new Error(`expected ${texts[0]}, got ${texts[1]}`);
}

/** JSON text with sorted keys. @param {unknown} value */
function canonical(value) {
  return JSON.stringify(value, (_key, part) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
