/**
 * The border between the page and Python. Text, numbers and undefined cross it, nothing else, so a call makes no proxy.
 *
 * The execute callback that a browser is given never throws and holds nothing that can die: it looks Python up in
 * this object each time.
 */
import { cancelled, hostFailed, invalidInput } from "./answers.js";
import { callExposed } from "./exposed.js";
import { functionsOf } from "./python.js";
import { describe, inputText } from "./wire.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./python.js").Python} Python */

/**
 * What the border tells its owner.
 *
 * @typedef {object} Listeners
 * @property {(name: string, state: string, reason?: string) => void} onState
 * @property {(tool: string, callId: string) => void} onCallStart
 * @property {(tool: string, callId: string, answer: Answer, ms: number) => void} onCallEnd
 * @property {(error: unknown) => void} onDeath Python threw where it never may: it is not usable any more
 */

/** The longest that `setTimeout` can wait, 24.8 days; above it fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export class Border {
  /** @type {Python | undefined} */
  #python;
  /** Why Python is not there, once it is known. @type {string | undefined} */
  #deathReason;
  /** @type {Map<number, {name: string, controller: AbortController}>} */
  #registrations = new Map();
  /** The registrations that the browser has not decided on. @type {Set<Promise<void>>} */
  #undecided = new Set();
  /** @type {Map<string, (answer: Answer) => void>} */
  #open = new Map();
  /** @type {Map<number, ReturnType<typeof setTimeout>>} */
  #timers = new Map();
  #exposed;
  #callIds = callIds();
  #context;
  #listeners;

  /**
   * @param {WebMCP.ModelContext | undefined} context where tools are registered
   * @param {import("./exposed.js").Exposed} exposed what Python may use of the page; the owner's, who adds to it
   * @param {Listeners} listeners
   */
  constructor(context, exposed, listeners) {
    this.#context = context;
    this.#exposed = exposed;
    this.#listeners = listeners;
  }

  /** Whether there is a model context to register with. */
  get hasContext() {
    return this.#context !== undefined;
  }

  /**
   * Take Python's host over.
   *
   * @param {Record<string, any>} host
   */
  attach(host) {
    this.#python = functionsOf(host);
  }

  /**
   * Load an app.
   *
   * @param {string} url
   * @param {string} source
   * @returns {{message: string, traceback: string} | undefined} what is wrong with it
   */
  load(url, source) {
    const problem = this.#ask("load", url, source);
    return problem === undefined ? undefined : JSON.parse(problem);
  }

  /**
   * Wish that a tool be registered.
   *
   * @param {number} number for the release
   * @param {string} name
   * @param {string} [resourceId]
   * @param {number} [owner] the same for the same owner
   */
  hold(number, name, resourceId, owner) {
    this.#ask("hold", number, name, resourceId, owner);
  }

  /** @param {number} number of a wish, which is given up */
  release(number) {
    this.#ask("release", number);
  }

  /**
   * Say where the page is: as soon as Python is up, and whenever it has moved.
   *
   * @param {{pathname: string, hash: string}} place
   */
  moved({ pathname, hash }) {
    this.#ask("moved", pathname, hash);
  }

  /** Resolves when the browser has decided on every registration that was asked for until now. */
  async decided() {
    await Promise.all(this.#undecided);
  }

  /** @returns {import("./host.js").ToolState[]} */
  states() {
    return JSON.parse(this.#ask("states") ?? "[]");
  }

  /**
   * Call a tool by its name, as the page's own client.
   *
   * @param {string} name
   * @param {unknown} input
   * @param {AbortSignal} [signal]
   * @returns {Answer | Promise<Answer>} never rejects
   */
  callNamed(name, input, signal) {
    return this.#run(name, input, signal, "call_named", name);
  }

  /**
   * Answer every call with `HOST_FAILED` from now on, those in flight included.
   *
   * @param {string} reason
   */
  die(reason) {
    this.#deathReason = reason;
    this.#python = undefined;
    for (const timer of [...this.#timers.keys()]) this.clearTimer(timer);
    for (const [callId, settle] of [...this.#open]) {
      this.#open.delete(callId);
      settle(hostFailed(reason, "unknown"));
    }
  }

  // What Python calls (webtools/browser/border.py). Arrow functions, since Python calls them without a `this`.

  register = (/** @type {number} */ registration, /** @type {string} */ text) => {
    const { exposedTo, ...definition } = JSON.parse(text);
    const controller = new AbortController();
    this.#registrations.set(registration, { name: definition.name, controller });
    /** @type {WebMCP.Execute} */
    const execute = (input, client) =>
      this.#run(definition.name, input, client?.signal, "call", registration);
    const options = exposedTo
      ? { signal: controller.signal, exposedTo }
      : { signal: controller.signal };
    const context = /** @type {WebMCP.ModelContext} */ (this.#context);
    // registerTool may throw as well as reject; inside an async function both are one
    const attempt = async () => context.registerTool({ ...definition, execute }, options);
    const decided = attempt().then(
      () => void this.#ask("registered", registration),
      (error) => this.#rejected(registration, error),
    );
    this.#undecided.add(decided);
    decided.finally(() => this.#undecided.delete(decided));
  };

  unregister = (/** @type {number} */ registration) => {
    const entry = this.#registrations.get(registration);
    this.#registrations.delete(registration);
    entry?.controller.abort();
  };

  settle = (/** @type {string} */ callId, /** @type {string} */ answer) => {
    const settle = this.#open.get(callId);
    this.#open.delete(callId);
    settle?.(JSON.parse(answer));
  };

  toolState = (
    /** @type {string} */ name,
    /** @type {string} */ state,
    /** @type {string | undefined} */ reason,
  ) => this.#listeners.onState(name, state, reason);

  setTimer = (/** @type {number} */ timer, /** @type {number} */ delayMs) => {
    const now = Math.min(delayMs, MAX_DELAY_MS);
    const fire = () => {
      this.#timers.delete(timer);
      if (now < delayMs) this.setTimer(timer, delayMs - now);
      else this.#ask("timer", timer);
    };
    this.#timers.set(timer, setTimeout(fire, now));
  };

  clearTimer = (/** @type {number} */ timer) => {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  };

  callPage = (
    /** @type {number} */ call,
    /** @type {string} */ name,
    /** @type {string} */ functionName,
    /** @type {string} */ text,
  ) => {
    const answer = callExposed(this.#exposed, name, functionName, text);
    if (typeof answer === "string") return answer;
    answer.then((later) => this.#ask("page_answered", call, later));
    return undefined;
  };

  log = (/** @type {string} */ level, /** @type {string} */ text) => {
    console[level === "error" ? "error" : "warn"](text);
  };

  /**
   * A registration that was rejected: its controller is never aborted, since that could remove another tool.
   *
   * @param {number} registration
   * @param {unknown} error
   */
  #rejected(registration, error) {
    if (this.#registrations.delete(registration)) {
      this.#ask("rejected", registration, describe(error));
    }
  }

  /**
   * Run one call from its input to its answer. What Python answers at once is returned at once: each turn through a
   * promise costs a call more than the handler of a small tool does.
   *
   * @param {string} tool
   * @param {unknown} input
   * @param {AbortSignal | undefined} signal
   * @param {"call" | "call_named"} door
   * @param {number | string} target the registration or the name, as the door has it
   * @returns {Answer | Promise<Answer>} never rejects
   */
  #run(tool, input, signal, door, target) {
    const callId = this.#callIds();
    const began = performance.now();
    const ended = (/** @type {Answer} */ answer) => {
      this.#listeners.onCallEnd(tool, callId, answer, performance.now() - began);
      return answer;
    };
    this.#listeners.onCallStart(tool, callId);
    const answer = this.#answer(callId, input, signal, door, target);
    return answer instanceof Promise ? answer.then(ended) : ended(answer);
  }

  /**
   * @param {string} callId
   * @param {unknown} input
   * @param {AbortSignal | undefined} signal
   * @param {"call" | "call_named"} door
   * @param {any} target
   * @returns {Answer | Promise<Answer>}
   */
  #answer(callId, input, signal, door, target) {
    try {
      if (!this.#python) return hostFailed(this.#deathReason ?? "Python is not there.", "none");
      if (signal && typeof signal.addEventListener !== "function") {
        return invalidInput("The call's signal is no AbortSignal.");
      }
      if (signal?.aborted) return cancelled();
      const text = inputText(input);
      if (typeof text !== "string") return text;
      const answered = this.#ask(door, target, callId, text);
      if (answered !== undefined) return JSON.parse(answered);
      if (!this.#python) return hostFailed(String(this.#deathReason), "unknown");
      return this.#later(callId, signal);
    } catch (error) {
      // for instance a signal that is none: whatever it is, execute neither throws nor rejects
      return hostFailed(describe(error), "unknown");
    }
  }

  /**
   * @param {string} callId
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Answer>}
   */
  #later(callId, signal) {
    const abort = () => this.#ask("abort", callId);
    signal?.addEventListener("abort", abort, { once: true });
    return new Promise((resolve) => {
      this.#open.set(callId, (answer) => {
        signal?.removeEventListener("abort", abort);
        resolve(answer);
      });
      if (signal?.aborted) abort(); // by the handler's own first lines
    });
  }

  /**
   * Call Python. It never throws unless it is dead: then its owner is told, once, and the answer is undefined.
   *
   * @template {keyof Python} K
   * @param {K} name
   * @param {Parameters<Python[K]>} args
   * @returns {ReturnType<Python[K]> | undefined}
   */
  #ask(name, ...args) {
    try {
      const ask = /** @type {((...args: any[]) => any) | undefined} */ (this.#python?.[name]);
      return ask?.(...args);
    } catch (error) {
      if (this.#python) this.#listeners.onDeath(error);
      return undefined;
    }
  }
}

/** Unique for every call of every page: some entropy for the page, then a count. @returns {() => string} */
function callIds() {
  const entropy = crypto.getRandomValues(new Uint32Array(2));
  const page = [...entropy].map((word) => word.toString(36)).join("");
  let count = 0;
  return () => `${page}-${(count += 1)}`;
}
