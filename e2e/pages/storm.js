/**
 * A storm: many operations in one page, in an order that its seed decides, with calls going on all the time. Python
 * arrives in its middle, and a second app later.
 */
import { apply } from "/webtools/polyfill.js";
import { Calls, Wish } from "/storm-record.js";

const host = location.search.slice(1);
// behave as Chromium up to 152, which loses the calls of a tool that goes
const cancelling = { force: true, cancelsCalls: "onUnregister", postbackMs: 50 };
if (host !== "native") apply(document, host === "cancelling" ? cancelling : {});
const { webtools } = await import("/webtools/webtools.js");

const CONTROLS = ["go_on", "hide", "remount", "show"];
const SINGLES = ["a", "b", "c", "both"];
const CATALOGUE = ["s1", "s2", "s3", "s4"];
const OF_PYTHON = ["panel", "cart", "spare"];
const CALLED = [...SINGLES, ...SINGLES, ...CATALOGUE, ...OF_PYTHON];
CALLED.push("panel", "panel", "both", "total", "details", "part", "pay", "steady");
const ACTIONS = [
  "read",
  "read",
  "wait",
  "wait",
  "guarded",
  "slow",
  "release",
  "raise",
  "fail",
  "go",
];
const URLS = ["/", "/cart/1", "/cart/2", "/checkout", "/#/details/1", "/checkout#/details/2", "/"];
const OWNERS = [undefined, {}, {}];

/** No more of JavaScript's calls wait at a time. */
const MOST_WAITING = 30;
const WHEN = {
  waits: 200,
  python: 300,
  atLatest: 600,
  second: 1200,
  again: 1500,
  forms: [150, 1650],
};
/** How often there is a pause in which what is to leave does leave, and what is called does not; also after a start. */
const LULL_EVERY = 250;
const LULL_MS = 700;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(limitMs, condition) {
  for (const began = performance.now(); performance.now() - began < limitMs; await sleep(20)) {
    if (await condition()) return true;
  }
  return false;
}

/** Numbers below a limit; neighbouring seeds have nothing in common. */
function randomOf(seed) {
  let count = Math.imul(seed, 0x2c1b3c6d);
  const mix = (bits) => Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (below) => {
    const bits = mix(mix((count += 1)));
    return ((bits ^ (bits >>> 16)) >>> 0) % below;
  };
}

class Storm {
  wish = new Wish();
  calls = new Calls();
  problems = [];
  /** The browser's traffic. */
  traffic = { register: 0, unregister: 0 };
  /** Calls that ended because their handler had a fault. */
  faults = 0;
  #seed;
  /** Of one step, so that no step hangs on how much chance the ones before needed. */
  #random;
  #waiting = [];
  #keys = 0;
  #set;
  /** Entries of the history that may be gone back to. */
  #depth = 0;
  /** Settles when the page has gone back, while it does. */
  #back;
  #starts = [];
  /** Whether an app has just come up. */
  #isNewcomer = false;
  /** Whether calls that wait go on waiting: they are to live through Python's arrival. */
  #isWaiting = false;
  /** Calls that began and did not end, by their ids. */
  #running = new Set();

  constructor(seed) {
    this.#seed = seed;
    this.#random = randomOf(seed);
    this.#watch();
    webtools.expose("storm", {
      held: (key, name, description) => this.wish.hold(key, name, description),
      released: (key) => void this.wish.release(key),
      entered: (name, description) => this.#entered(name, description),
      go: () => this.#goHome(),
    });
    this.operations = [
      [12, () => this.#agentCalls()],
      [4, () => this.#pageCalls()],
      [6, () => this.#define(this.#pick(SINGLES))],
      [2, () => this.#holdByName()],
      [4, () => this.#releaseOne()],
      [2, () => this.#remountOne()],
      [2, () => this.#replaceSet()],
      [5, () => this.#ofPython()],
      [3, () => this.#go()],
      [3, () => this.#abortOne()],
      [3, () => this.#isWaiting || this.#goOn(this.#random(4))],
    ].flatMap(([weight, operation]) => Array(weight).fill(operation));
  }

  async run(count) {
    this.#hold("steady", "steady");
    for (let step = 0; step < count; step += 1) {
      await this.#mark(step);
      this.#random = randomOf(this.#seed * count + step);
      this.#pick(this.operations)();
      if (this.#waiting.length > MOST_WAITING) this.#goOn(1);
      await this.#turn();
    }
    for (const started of this.#starts) await started;
    await this.#settle();
  }

  /** Release everything. */
  async end() {
    for (const { key } of this.wish.holds({ ofPython: false })) this.#release(key);
    for (const { key } of this.wish.holds({ ofPython: true })) this.calls.byPage("hide", { key });
    await this.#back;
    history.pushState(null, "", "/");
    await this.#settle();
  }

  /** What there is against what there should be. */
  async report() {
    const wished = this.#wished();
    await until(10_000, async () => `${await this.#listed()}` === `${wished}` && this.#isCalm());
    return {
      problems: this.problems,
      outcomes: this.calls.outcomes,
      traffic: this.traffic,
      faults: this.faults,
      wished,
      listed: await this.#listed(),
      unsettled: [...this.calls.open.keys()],
      unended: [...this.#running],
      unquiet: webtools.tools().filter((tool) => !isCalm(tool)),
    };
  }

  // What it looks at

  #watch() {
    const context = document.modelContext;
    this.calls.watch(context);
    const registerTool = context.registerTool.bind(context);
    context.registerTool = (tool, options) => {
      this.traffic.register += 1;
      options.signal.addEventListener("abort", () => (this.traffic.unregister += 1));
      return registerTool(tool, options);
    };
    webtools.addEventListener("callstart", ({ detail }) => this.#running.add(detail.callId));
    webtools.addEventListener("callend", ({ detail: { callId, tool, code } }) => {
      if (code === "TOOL_HANDLER_ERROR") this.faults += 1;
      if (!this.#running.delete(callId)) this.problems.push(`a call of ${tool} ended twice`);
    });
  }

  /** A handler is chosen when it is entered: it is that of the newest hold. */
  #entered(name, description, key) {
    const newest = this.wish.newest(name);
    if (newest?.description === description && (key === undefined || newest.key === key)) return;
    this.problems.push(
      `${name}, ${description} (${key}) was entered, not ${JSON.stringify(newest)}`,
    );
  }

  #wished() {
    const { pathname, hash } = location;
    const bound = {
      cart: pathname.startsWith("/cart/"),
      total: pathname.startsWith("/cart/") || pathname === "/checkout",
      details: hash.startsWith("#/details/"),
      pay: pathname === "/checkout",
    };
    const fitting = Object.keys(bound).filter((name) => bound[name]);
    return this.wish.listed([...CONTROLS, "part", ...fitting]);
  }

  async #listed() {
    const tools = await document.modelContext.getTools();
    return tools.map(({ name, description }) => `${name}: ${description}`).sort();
  }

  #isCalm() {
    return webtools.tools().every(isCalm);
  }

  // What it does

  #pick(list) {
    return list[this.#random(list.length)];
  }

  /** What happens at a certain step. */
  async #mark(step) {
    if (step === WHEN.waits) this.#isWaiting = true;
    if (step === WHEN.python) this.#start("/storm.py");
    if (step === WHEN.atLatest) await this.#starts[0];
    if (step === WHEN.second || step === WHEN.again) this.#start("/storm_second.py");
    if (host === "native" && WHEN.forms.includes(step)) this.#takeAway("steady");
    const isLull = step % LULL_EVERY === LULL_EVERY - 1 || this.#isNewcomer;
    if (this.#isNewcomer) {
      this.#isNewcomer = false;
      for (const name of SINGLES) this.#hold(name, `${name}, anew`);
    }
    if (isLull) await sleep(LULL_MS);
  }

  /** Several operations happen in one tick, others in microtasks or later. */
  async #turn() {
    const turn = this.#random(10);
    if (turn < 3) return;
    if (turn < 5) await null;
    else if (turn < 8) await sleep(0);
    else await sleep(this.#random(8));
    if (this.#isPythonComing) await sleep(8); // it has to arrive in the middle
  }

  get #isPythonComing() {
    return this.#starts.length === 1 && webtools.status === "loading";
  }

  #start(app) {
    this.#starts.push(
      webtools.start({ app }).then(
        () => this.#arrived(),
        (error) => this.problems.push(String(error)),
      ),
    );
  }

  #arrived() {
    this.#isNewcomer = true;
    this.#isWaiting = false;
  }

  /** As Chromium does when a declarative form goes whose name was taken. */
  #takeAway(name) {
    const form = document.createElement("form");
    form.setAttribute("toolname", name);
    form.setAttribute("tooldescription", "A form.");
    document.body.append(form);
    setTimeout(() => form.remove(), 20);
  }

  #agentCalls() {
    this.calls.byAgent(this.#pick(CALLED), { action: this.#pick(ACTIONS) });
  }

  #pageCalls() {
    this.calls.byPage(this.#pick(CALLED), { action: this.#pick(ACTIONS) });
  }

  /** Mostly the handler alone is another. */
  #define(name) {
    const newest = this.#random(4) > 0 && this.wish.newest(name);
    this.#hold(name, newest ? newest.description : `${name}, version ${this.#random(3)}`);
  }

  #hold(name, description, owner = this.#pick(OWNERS)) {
    const key = this.#newKey();
    const options = { owner, ...(this.#random(3) === 0 && { resourceId: "one" }) };
    const hold = webtools.define(...this.#tool(key, name, description), options);
    this.wish.hold(key, name, description, () => hold.release());
  }

  #newKey() {
    return `key-${(this.#keys += 1)}`;
  }

  #tool(key, name, description) {
    const properties = { call: { type: "string" }, action: { type: "string" } };
    const definition = { name, description, inputSchema: { type: "object", properties } };
    return [definition, (input, context) => this.#handle(key, name, description, input, context)];
  }

  #handle(key, name, description, { call, action }, context) {
    this.#entered(name, description, key);
    const answer = `${call}: done`;
    const step = () => new Promise((resolve) => this.#waiting.push(resolve));
    const guarded = () => {
      context.ensureCurrent();
      return answer;
    };
    if (action === "wait") return step().then(() => answer);
    if (action === "guarded") return step().then(guarded);
    if (action === "slow") return sleep(5).then(() => answer);
    if (action === "release" && name !== "steady") this.#release(key);
    if (action === "raise") throw Object.assign(new Error("not today"), { code: "REFUSED" });
    if (action === "fail") throw new Error("an error of the handler's own");
    if (action === "go") this.#goHome();
    return answer;
  }

  #release(key) {
    this.wish.release(key)?.release();
  }

  #holdByName() {
    const name = this.#pick(OF_PYTHON);
    const hold = webtools.hold(name, { resourceId: this.#pick(["one", "two"]) });
    this.wish.hold(this.#newKey(), name, name, () => hold.release());
  }

  #releaseOne() {
    const held = this.wish
      .holds({ ofPython: false })
      .filter(({ name }) => name !== "steady" && !CATALOGUE.includes(name));
    if (held.length > 0) this.#release(this.#pick(held).key);
  }

  #remountOne() {
    const name = this.#pick(["a", "b", "c"]);
    const newest = this.wish.newest(name);
    if (!newest) return;
    this.#release(newest.key);
    this.#hold(name, newest.description);
  }

  /** A catalogue is replaced: the new one is held before the old one goes. */
  #replaceSet() {
    const names = CATALOGUE.slice(0, 1 + this.#random(CATALOGUE.length));
    const pairs = names.map((name) => [
      this.#newKey(),
      name,
      `${name}, version ${this.#random(4) === 0}`,
    ]);
    const hold = webtools.define(
      pairs.map((each) => this.#tool(...each)),
      { owner: this.#pick(OWNERS) },
    );
    this.#letSetGo();
    for (const each of pairs) this.wish.hold(...each, () => this.#letSetGo());
    this.#set = { hold, keys: pairs.map(([key]) => key) };
  }

  /** A tool of a set that releases itself releases the set. */
  #letSetGo() {
    const set = this.#set;
    this.#set = undefined;
    set?.hold.release();
    for (const key of set?.keys ?? []) this.wish.release(key);
  }

  #ofPython() {
    const [what, input] = this.#askOfPython();
    if (this.#random(2)) this.calls.byAgent(what, input);
    else if (webtools.status === "ready") this.calls.byPage(what, input);
  }

  #askOfPython() {
    const held = this.wish.holds({ ofPython: true });
    const kind = this.#random(3);
    if (kind > 0 && held.length > 2) {
      return [this.#pick(["hide", "hide", "remount"]), { key: this.#pick(held).key }];
    }
    const resource = this.#random(2) && { resource_id: "one" };
    const what = this.#pick(["panel", "first", "second"]);
    return ["show", { key: this.#newKey(), what, ...resource }];
  }

  #go() {
    const kind = this.#random(4);
    if (this.#back) return; // asked for another move meanwhile, Chromium may load the page anew
    if (kind === 0 && this.#depth > 0) {
      this.#depth -= 1;
      this.#back = new Promise((resolve) => {
        addEventListener("popstate", resolve, { once: true });
      }).then(() => (this.#back = undefined));
      history.back();
    } else if (kind === 1) {
      history.replaceState(null, "", this.#pick(URLS));
    } else {
      this.#depth += 1;
      history.pushState(null, "", this.#pick(URLS));
    }
  }

  async #goHome() {
    if (this.#back) await this.#back;
    this.#depth += 1;
    history.pushState(null, "", "/");
  }

  #abortOne() {
    const open = [...this.calls.open.values()];
    if (open.length > 0) this.#pick(open)();
  }

  /** Let calls go on that wait: of JavaScript's, so many or all, the oldest first. */
  #goOn(count = Infinity) {
    for (const resolve of this.#waiting.splice(0, count)) resolve();
    if (webtools.tools().some(({ name }) => name === "go_on")) this.calls.byPage("go_on", {});
  }

  async #settle() {
    await until(20_000, () => {
      if (!this.calls.isQuiet) this.#goOn();
      return this.calls.isQuiet;
    });
  }
}

function isCalm({ state, inFlight }) {
  return state === "registered" && inFlight === 0;
}

window.Storm = Storm;
document.documentElement.dataset.ready = "yes";
