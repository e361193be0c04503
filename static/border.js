/**
 * The border between the page and Python. Text, numbers and undefined cross it, nothing else, so a call makes no proxy;
 * only an app that is an archive crosses as bytes.
 *
 * One slot says who keeps the tools: the page itself, until Python takes over in one synchronous step. The execute
 * callback that a browser is given never throws and holds nothing that can die: it looks the keeper up each time.
 */
import { hostFailed, left } from "./answers.js";
import { callStorage } from "./artifacts.js";
import { Calls } from "./calls.js";
import { Confirmations } from "./confirm.js";
import { Credentials } from "./credentials.js";
import { Early } from "./early.js";
import { Endings } from "./endings.js";
import { callExposed } from "./exposed.js";
import { FormTools } from "./form-tools.js";
import { Holds } from "./holds.js";
import { InnerCalls } from "./inner.js";
import { MAX_DELAY_MS } from "./limit.js";
import { macrotask } from "./macrotask.js";
import { observing } from "./observed.js";
import { OwnCalls } from "./own-calls.js";
import { Ownerships } from "./ownership.js";
import { Pointing } from "./pointing.js";
import { functionsOf } from "./python.js";
import { Readings } from "./readings.js";
import { Registrations } from "./registrations.js";
import { Requests } from "./requests.js";
import { RouteChanges } from "./route-change.js";
import { untilSettled } from "./settled.js";
import { readStored, writeStored } from "./stored.js";
import { describe } from "./wire.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./python.js").Python} Python */

/**
 * What the border tells its owner.
 *
 * @typedef {object} Listeners
 * @property {(name: string, state: string, reason?: string) => void} onState
 * @property {(tool: string, callId: string, input?: unknown) => void} onCallStart a call that a handler makes has no input here
 * @property {(tool: string, callId: string, report: import("./progress.js").Report) => void} onCallProgress
 * @property {(tool: string, callId: string, answer: Answer, ms: number) => void} onCallEnd
 * @property {(teardown: import("./endings.js").Teardown) => void} onTeardown
 * @property {(isUrgent: boolean) => void} onNeed something waits for Python: a call (urgent), or what only Python does
 * @property {(error: unknown) => void} onDeath Python threw where it never may: it is not usable any more
 */

export class Border {
  /** Present while Python is up. @type {Python | undefined} */
  #python;
  /** Why Python died, once it has. @type {string | undefined} */
  #deathReason;
  /** @type {Map<number, ReturnType<typeof setTimeout>>} */
  #timers = new Map();
  /** What Python asks the person. @type {Map<number, AbortController>} */
  #questions = new Map();
  /** What Python makes tools of. @type {Map<number, import("./holds.js").Hold>} */
  #forms = new Map();
  #ownerships = new Ownerships((name, epoch, reason) =>
    this.#python?.ownership(name, epoch, reason),
  );
  #readings = new Readings();
  #endings = new Endings();
  #credentials = new Credentials((...outcome) => this.#python?.provided(...outcome));
  #requests = new Requests((number, text) => this.#python?.fetched(number, text));
  #ownCalls = new OwnCalls((...call) => this.callNamed(...call));
  #registrations;
  #calls;
  #inner;
  #early;
  #exposed;
  #listeners;
  /** @type {import("./observed.js").Observer | undefined} */
  #observer;

  /**
   * @param {import("./exposed.js").Exposed} exposed what Python may use of the page; the owner's, who adds to it
   * @param {Listeners} listeners
   * @param {ConstructorParameters<typeof Pointing>[1]} [loadCursor]
   */
  constructor(exposed, listeners, loadCursor) {
    this.#exposed = exposed;
    /** Shows the person what calls work on. */
    this.pointing = new Pointing(
      {
        placeOf: (name) => this.holds.placeOf(name),
        definitionOf: (name) => this.#registrations.definitionOf(name),
      },
      loadCursor,
    );
    this.#listeners = this.pointing.hearing(observing(listeners, () => this.#observer));
    this.#registrations = new Registrations({
      onCall: (number, name, input, signal) =>
        this.#run(name, input, signal, (keeper, id, text) => keeper.call(number, id, text)),
      onRegistered: (number) => this.#keeper.registered(number),
      onRejected: (number, reason) => this.#keeper.rejected(number, reason),
      onLost: (number) => this.#keeper.lost(number),
      onTarget: () => this.pointing.expect(),
    });
    this.#early = this.#newEarly();
    /** Asks the person. */
    this.confirmations = new Confirmations();
    /** What the page's JavaScript holds. */
    this.holds = new Holds(
      (...wish) => {
        if (this.holds.placeOf(wish[1])) this.pointing.expect();
        this.#keeper.hold(...wish);
        this.#lookSoon();
      },
      (number) => {
        this.#keeper.release(number);
        this.#lookSoon();
      },
      (number) => this.#keeper.retire(number),
      (name) => this.states().find((tool) => tool.name === name)?.state ?? "unknown",
    );
    /** Tools that are made of forms. */
    this.forms = new FormTools(this.holds);
    /** Changes of the page's route. */
    this.routes = new RouteChanges(this.holds, {
      begin: () => this.#python?.beginRoute(),
      look: () => this.#calls.look(),
      end: () => this.#keeper.endRoute(),
    });
    const { onCallStart, onCallEnd } = this.#listeners;
    this.#inner = new InnerCalls((tool, callId) => {
      onCallStart(tool, callId);
      this.pointing.began(tool, callId, "{}"); // what it is called with stays with Python
    }, onCallEnd);
    this.#calls = new Calls({
      ...this.#listeners,
      onInput: (...call) => this.pointing.began(...call),
      show: (tool, callId, { fields }, text) => this.pointing.showInput(tool, callId, fields, text),
      wish: (number) => this.holds.wish(number),
      countOut: (callId) => this.#keeper.countOut(callId),
      isCurrent: (callId) => this.#keeper.isCurrent(callId) === true,
      abort: (callId) => this.#keeper.abort(callId),
      ask: (question, signal) => this.confirmations.ask(question, signal),
    });
  }

  /** @returns {Python | Early} whoever keeps the tools */
  get #keeper() {
    return this.#python ?? this.#early;
  }

  /** Whether there is a model context to register with. */
  get hasContext() {
    return this.#registrations.hasContext;
  }

  /** @param {WebMCP.ModelContext | undefined} context where tools are registered; what waits for it goes there */
  attachContext(context) {
    this.#registrations.attach(context);
    if (!context) return;
    if (this.#python) this.#python.attachContext();
    else this.#early.restored();
  }

  /**
   * Tell somebody of each tool now, and of all that happens to them and to the page.
   *
   * @param {import("./observed.js").Observer | undefined} observer instead of the one before; none: nobody
   */
  observe(observer) {
    this.#observer = observer;
    this.#keeper.observe(observer !== undefined);
  }

  /** Whether something waits for Python that is no call. */
  get waitsForPython() {
    return this.#early.waitsForPython;
  }

  /** Python is on its way: it will decide what goes. */
  expectPython() {
    this.#early.isAlone = false;
  }

  /**
   * Python will not come.
   *
   * @param {string} reason
   */
  goOnAlone(reason) {
    this.#early.giveUp(reason);
  }

  /**
   * An app is going to define these tools: they are registered, and their calls wait for it.
   *
   * @param {string} app its URL
   * @param {import("./promised.js").PromisedTool[]} tools
   */
  promise(app, tools) {
    if (this.#python) return;
    const hasTarget = tools.some(({ text }) => JSON.parse(text).target !== undefined);
    if (hasTarget) this.pointing.expect();
    this.#early.promise(app, tools);
  }

  /**
   * Python takes over what the page has kept until now.
   *
   * @param {Record<string, any>} host
   */
  attach(host) {
    const python = functionsOf(host, (error) => this.#found(error));
    this.#python = python;
    python.takeOver(this.#early.handOver());
    this.#tellOf("python up");
    if (this.#observer) python.observe(true);
    if (this.routes.isOpen) python.beginRoute();
    if (this.#credentials.isProvided) python.provide(true);
    if (this.hasContext) python.attachContext();
  }

  /** Python is here for the page's tools alone: what it logs is ours to tell. */
  keepLog() {
    this.#python?.keepLog();
  }

  /** Python is the page's own: what its code defines is held, too. */
  follow() {
    this.#python?.follow();
  }

  /** @param {import("./credentials.js").Provide} [provide] the page's way to give credentials; none: it has none */
  provideWith(provide) {
    this.#credentials.provideWith(provide);
    this.#python?.provide(this.#credentials.isProvided);
  }

  /**
   * A run or a session is over.
   *
   * @param {"run" | "session"} scope
   * @param {string} id
   * @param {import("./endings.js").EndOptions} [options]
   */
  end(scope, id, options) {
    return this.#endings.end(this.#python?.end, scope, id, options);
  }

  /**
   * Load an app.
   *
   * @param {string} url
   * @param {import("./sources.js").App} app
   * @returns {{message: string, traceback: string} | undefined} what is wrong with it
   */
  load(url, app) {
    const problem =
      "source" in app
        ? this.#python?.load(url, app.source)
        : this.#python?.loadArchive(url, app.archive, app.entry);
    this.#tellOf("app loaded", problem === undefined ? url : `${url}, which failed`);
    return problem === undefined ? undefined : JSON.parse(problem);
  }

  /**
   * @param {string} url
   * @param {string} version the library's
   * @returns {string | undefined} the manifest of an app that has been loaded
   */
  manifest(url, version) {
    return this.#python?.manifest(url, version);
  }

  /**
   * An app cannot be loaded: what it has promised goes.
   *
   * @param {string} url
   * @param {string} reason
   */
  giveUp(url, reason) {
    this.#python?.giveUp(url, reason);
  }

  /**
   * The page is being left: every call in flight is answered.
   *
   * @param {boolean} isKept whether it may come back from the back-forward cache
   */
  leave(isKept) {
    this.#tellOf("left");
    this.#keeper.leave(isKept);
    this.#calls.endAll(left());
    this.#ownerships.leave();
  }

  /** The page has come back from the back-forward cache. */
  restore() {
    this.#tellOf("restored");
    this.#registrations.look();
    this.#ownerships.restore();
    this.#keeper.restored();
  }

  /**
   * Say where the page is: at first, as soon as Python is up, and whenever it has moved.
   *
   * @param {{pathname: string, hash: string}} place
   */
  moved({ pathname, hash }) {
    this.#tellOf("moved", pathname + hash);
    this.#keeper.moved(pathname, hash);
  }

  /** Resolves when the browser has decided who owns what, and on every registration that was asked for until now. */
  async decided() {
    await this.#ownerships.decided();
    return this.#registrations.decided();
  }

  /** @returns {import("./host.js").ToolState[]} */
  states() {
    return JSON.parse(this.#keeper.states() ?? "[]");
  }

  /** Whether there is a tool of that name. @param {string} name */
  has(name) {
    return this.states().some((tool) => tool.name === name);
  }

  /**
   * Call a tool by its name, as the page's own client.
   *
   * @param {string} name
   * @param {unknown} input
   * @param {AbortSignal} [signal]
   * @param {string} [facts] what the caller states of the call, JSON text
   * @returns {Answer | Promise<Answer>} never rejects
   */
  callNamed(name, input, signal, facts) {
    const enter = (
      /** @type {Python | Early} */ keeper,
      /** @type {string} */ id,
      /** @type {string} */ text,
    ) => keeper.callNamed(name, id, text, facts);
    return this.#run(name, input, signal, enter, iterationOf(facts));
  }

  /**
   * Have Python give an artifact of the page's own.
   *
   * @param {string} ref
   * @returns {Promise<string>} JSON text, as `opened` takes it
   */
  readArtifact(ref) {
    return this.#readings.read(this.#python?.readArtifact, ref);
  }

  /**
   * Answer every call of Python's with `HOST_FAILED` from now on, those in flight included, and go on without it.
   *
   * @param {string} reason
   */
  die(reason) {
    this.#deathReason = reason;
    this.#python = undefined;
    this.#tellOf("python died", reason);
    for (const timer of [...this.#timers.keys()]) this.clearTimer(timer);
    for (const question of [...this.#questions.keys()]) this.withdraw(question);
    this.#ownerships.close();
    this.#credentials.withdrawAll();
    this.#endings.endAll();
    this.#requests.abortAll();
    this.#inner.endAll(hostFailed(reason, "unknown"));
    this.#early = this.#newEarly();
    this.#early.inherit(reason, this.holds.wishes(), this.#calls.running());
    this.#calls.settleAll(hostFailed(reason, "unknown"));
    this.#readings.endAll();
  }

  /**
   * @param {string} tool
   * @param {unknown} input
   * @param {AbortSignal | undefined} signal
   * @param {(keeper: Python | Early, callId: string, text: string) => string | number | undefined} enter
   * @param {number} [iteration] of the caller's loop
   */
  #run(tool, input, signal, enter, iteration) {
    const entering = (/** @type {string} */ callId, /** @type {string} */ text) => {
      const keeper = this.#keeper;
      const answered = enter(keeper, callId, text);
      // Python has died of this very call
      const isDead = answered === undefined && keeper !== this.#keeper;
      return isDead ? JSON.stringify(hostFailed(String(this.#deathReason), "unknown")) : answered;
    };
    return this.#calls.run(tool, input, signal, entering, iteration);
  }

  #newEarly() {
    return new Early(this.#registrations, {
      onState: this.#listeners.onState,
      onNeed: this.#listeners.onNeed,
      onAnswer: (callId, answer) => this.#calls.settle(callId, answer),
      isRouteOpen: () => this.routes.isOpen,
      onChange: (slot) => this.#observer && this.#tellOfSlot(slot()),
    });
  }

  /** @param {import("./observed.js").PageEvent} name @param {string} [detail] */
  #tellOf(name, detail) {
    this.#observer?.({ what: "page", name, ...(detail !== undefined && { detail }) });
  }

  /** @param {import("./observed.js").Slot} slot */
  #tellOfSlot(slot) {
    const holds = slot.holds.map(({ holder, ...bound }) => {
      const words = typeof holder === "number" ? this.holds.wish(holder)?.holder : holder;
      return { holder: words ?? "the page", ...bound };
    });
    this.#observer?.({ what: "slot", slot: { ...slot, holds } });
  }

  /** A hold has come or gone: whether calls are stale is known after the macrotask. */
  #lookSoon() {
    if (this.#calls.isAsking) macrotask(() => this.#calls.look());
  }

  /** A function of Python's has thrown: it is dead. @param {unknown} error */
  #found(error) {
    if (this.#python) this.#listeners.onDeath(error);
  }

  /** Something that Python has asked for is there. @param {number} call @param {string} answer */
  #answer(call, answer) {
    this.#python?.pageAnswered(call, answer);
  }

  // What Python calls (webtools/browser/border.py). Arrow functions, since Python calls them without a `this`.

  register = (/** @type {number} */ registration, /** @type {string} */ text) =>
    this.#registrations.register(registration, text);

  unregister = (/** @type {number} */ registration) => this.#registrations.unregister(registration);

  settle = (/** @type {string} */ callId, /** @type {string} */ answer) =>
    this.#calls.settle(callId, JSON.parse(answer));

  innerCall = (
    /** @type {string} */ tool,
    /** @type {string} */ callId,
    /** @type {string | undefined} */ answer,
  ) => {
    if (answer === undefined) this.#inner.begin(tool, callId);
    else this.#inner.end(callId, JSON.parse(answer));
  };

  callProgress = (
    /** @type {string} */ tool,
    /** @type {string} */ callId,
    /** @type {string} */ report,
  ) => this.#listeners.onCallProgress(tool, callId, JSON.parse(report));

  showCall = (
    /** @type {number} */ number,
    /** @type {string} */ callId,
    /** @type {string} */ text,
  ) => {
    const shown = this.pointing.show(callId, JSON.parse(text));
    shown?.then(() => this.#answer(number, "null"));
    return shown === undefined;
  };

  toolState = (
    /** @type {string} */ name,
    /** @type {string} */ state,
    /** @type {string | undefined} */ reason,
  ) => this.#listeners.onState(name, state, reason);

  observed = (/** @type {string} */ slot) => this.#tellOfSlot(JSON.parse(slot));

  routeBegan = () => {
    this.routes.leave();
    this.#calls.look();
  };

  setTimer = (/** @type {number} */ timer, /** @type {number} */ delayMs) => {
    const now = Math.min(delayMs, MAX_DELAY_MS);
    const fire = () => {
      this.#timers.delete(timer);
      if (now < delayMs) this.setTimer(timer, delayMs - now);
      else this.#python?.timer(timer);
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
    answer.then((later) => this.#answer(call, later));
    return undefined;
  };

  holdForm = (
    /** @type {number} */ number,
    /** @type {string} */ selector,
    /** @type {string} */ options,
  ) => {
    try {
      this.#forms.set(number, this.forms.hold(selector, JSON.parse(options)));
      return undefined;
    } catch (error) {
      return describe(error);
    }
  };

  releaseForm = (/** @type {number} */ number) => {
    this.#forms.get(number)?.release();
    this.#forms.delete(number);
  };

  callArtifacts = (
    /** @type {number} */ call,
    /** @type {string} */ verb,
    /** @type {string} */ text,
  ) => {
    callStorage(verb, text).then((answer) => this.#answer(call, answer));
  };

  callTool = (
    /** @type {number} */ call,
    /** @type {string} */ name,
    /** @type {string} */ text,
    /** @type {string} */ facts,
  ) => {
    this.#ownCalls.make(call, name, text, facts).then((answer) => this.#answer(call, answer));
  };

  abortTool = (/** @type {number} */ call) => this.#ownCalls.abort(call);

  untilSettled = (/** @type {number} */ call) => {
    untilSettled(document.modelContext).then(() => this.#answer(call, "null"));
  };

  fetch = (/** @type {number} */ request, /** @type {string} */ text) => {
    this.#requests.send(request, text);
  };

  abortFetch = (/** @type {number} */ request) => this.#requests.abort(request);

  artifactRead = (/** @type {number} */ reading, /** @type {string} */ artifact) =>
    this.#readings.done(reading, artifact);

  readStored = readStored;

  writeStored = writeStored;

  confirm = (/** @type {number} */ question, /** @type {string} */ text) => {
    const controller = new AbortController();
    this.#questions.set(question, controller);
    this.confirmations.ask(JSON.parse(text), controller.signal).then((outcome) => {
      if (this.#questions.delete(question)) this.#python?.confirmed(question, outcome);
    });
  };

  withdraw = (/** @type {number} */ question) => {
    const controller = this.#questions.get(question);
    this.#questions.delete(question);
    controller?.abort("over");
  };

  askOwnership = (/** @type {string} */ name) => this.#ownerships.ask(name);

  takeOwnership = (/** @type {string} */ name) => this.#ownerships.takeOver(name);

  releaseOwnership = (/** @type {string} */ name) => this.#ownerships.release(name);

  ownedEpoch = (/** @type {string} */ name) => this.#ownerships.epoch(name);

  isOwnershipGone = (/** @type {string} */ name) => this.#ownerships.isGone(name);

  requestCredential = (/** @type {number} */ number, /** @type {string} */ text) => {
    this.#credentials.request(number, text);
  };

  withdrawCredential = (/** @type {number} */ number) => this.#credentials.withdraw(number);

  teardown = (/** @type {string} */ text) => this.#listeners.onTeardown(JSON.parse(text));

  ended = (/** @type {number} */ number) => this.#endings.ended(number);

  log = (/** @type {string} */ level, /** @type {string} */ text) => {
    console[level === "error" ? "error" : "warn"](text);
  };
}

/** @param {string | undefined} facts JSON text @returns {number} which turn of its loop the caller is in */
function iterationOf(facts) {
  const { iteration } = Object(facts && JSON.parse(facts));
  return Number.isSafeInteger(iteration) && iteration > 0 ? iteration : 0;
}
