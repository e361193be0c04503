/** Holds and releases two tools thousands of times, in each way that there is. */

const NAMES = ["first", "second"];
/** One for all calls: what is left on it is left for good. */
const { signal } = new AbortController();

const turn = () => scheduler.postTask(() => {});
const run = (name, input) => webtools.call(name, input).then(checked);

function checked(answer) {
  if (answer.isError) throw new Error(JSON.stringify(answer.structuredContent));
  return answer.structuredContent;
}

/** By whose hold it is: how to take the two, which gives how to let them go. */
const OWNERS = {
  hold: async () => {
    const holds = NAMES.map((name) => webtools.hold(name, { resourceId: "one", owner: {} }));
    return async () => holds.forEach((hold) => hold.release());
  },
  define: async () => {
    const hold = webtools.define(NAMES.map(defined), { resourceId: "one", owner: {} });
    return async () => hold.release();
  },
  python: async () => {
    await run("take");
    return () => run("let_go");
  },
};

const IN_ONE_TICK = {
  hold: (count) => {
    for (let i = 0; i < count; i += 1) {
      for (const name of NAMES) webtools.hold(name, { owner: {} }).release();
    }
  },
  define: (count) => {
    for (let i = 0; i < count; i += 1) webtools.define(NAMES.map(defined), { owner: {} }).release();
  },
  python: (count) => run("flicker", { count }),
};

function defined(name) {
  const inputSchema = { type: "object", properties: {} };
  return [
    { name, description: "Answer after a turn.", inputSchema },
    () => turn().then(() => name),
  ];
}

const state = (name) => webtools.tools().find((tool) => tool.name === name)?.state ?? "unknown";

async function until(condition) {
  for (const began = performance.now(); performance.now() - began < 10_000; await turn()) {
    if (condition()) return;
  }
  throw new Error(`waited in vain for ${condition}: ${NAMES.map(state)}, ${timers.size} timers`);
}

const are = (wanted) => () => NAMES.every((name) => state(name) === wanted);

/** Cycles of each kind, by that owner; nothing is held afterwards. */
window.cycle = async (owner, { inOneTick, registered, called }) => {
  await IN_ONE_TICK[owner](inOneTick / NAMES.length);
  await until(are("unknown"));
  for (let i = 0; i < registered; i += NAMES.length) {
    const letGo = await OWNERS[owner]();
    await until(are("registered"));
    await letGo();
    await until(are("unknown"));
  }
  // one that was called leaves after a grace, in which it is held again
  for (let i = 0; i < called; i += NAMES.length) {
    const letGo = await OWNERS[owner]();
    await until(are("registered"));
    if (timers.size > 0) throw new Error(`${timers.size} timers of what stays`);
    for (const name of NAMES) checked(await webtools.call(name, {}, { signal }));
    await letGo();
    await until(() => timers.size === NAMES.length); // those of the graces
  }
  await until(are("unknown"));
};

window.count = async () => {
  const python = await run("measure");
  return { ...python, tools: webtools.tools().length, timers: timers.size };
};
