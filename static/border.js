/**
 * The border between the page and Python. Text, numbers and undefined cross it, nothing else, so a call makes no proxy;
 * only an app that is an archive crosses as bytes.
 *
 * One slot says who keeps the tools: the page itself, until Python takes over in one synchronous step. The execute
 * callback that a browser is given never throws and holds nothing that can die: it looks the keeper up each time.
 */
import { hostFailed, left } from "./answers.js";
import { Calls } from "./calls.js";
import { Confirmations } from "./confirm.js";
import { Early } from "./early.js";
import { FormTools } from "./form-tools.js";
import { Holds } from "./holds.js";
import { InnerCalls } from "./inner.js";
import { macrotask } from "./macrotask.js";
import { observing } from "./observed.js";
import { Pointing } from "./pointing.js";
import { functionsOf } from "./python.js";
import { portOf } from "./port.js";
import { Registrations } from "./registrations.js";
import { RouteChanges } from "./route-change.js";
import { Services } from "./services.js";

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
  #registrations;
  #calls;
  #inner;
  #early;
  #listeners;
  /** @type {import("./observed.js").Observer | undefined} */
  #observer;

  /**
   * @param {import("./exposed.js").Exposed} exposed what Python may use of the page; the owner's, who adds to it
   * @param {Listeners} listeners
   * @param {ConstructorParameters<typeof Pointing>[1]} [loadCursor]
   */
  constructor(exposed, listeners, loadCursor) {
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
    /** What Python has of the page beside its tools. */
    this.services = new Services({
      ...{ exposed, forms: this.forms, confirmations: this.confirmations },
      call: (...call) => this.callNamed(...call),
    });
    /** What Python calls. */
    this.port = portOf(
      {
        ...{ registrations: this.#registrations, calls: this.#calls, inner: this.#inner },
        ...{ pointing: this.pointing, routes: this.routes, listeners: this.#listeners },
        onSlot: (slot) => this.#tellOfSlot(slot),
      },
      this.services,
    );
  }

  /** @returns {Python | Early} whoever keeps the tools */
  get #keeper() {
    return this.#python ?? this.#early;
  }

  /** While it is up. */
  get python() {
    return this.#python;
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
    this.services.serve(python);
    python.takeOver(this.#early.handOver());
    this.#tellOf("python up");
    if (this.#observer) python.observe(true);
    if (this.routes.isOpen) python.beginRoute();
    if (this.services.hasCredentials) python.provide(true);
    if (this.hasContext) python.attachContext();
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
   * The page is being left: every call in flight is answered.
   *
   * @param {boolean} isKept whether it may come back from the back-forward cache
   */
  leave(isKept) {
    this.#tellOf("left");
    this.#keeper.leave(isKept);
    this.#calls.endAll(left());
    this.services.leave();
  }

  /** The page has come back from the back-forward cache. */
  restore() {
    this.#tellOf("restored");
    this.#registrations.look();
    this.services.restore();
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
    await this.services.decided();
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
   * Answer every call of Python's with `HOST_FAILED` from now on, those in flight included, and go on without it.
   *
   * @param {string} reason
   */
  die(reason) {
    this.#deathReason = reason;
    this.#python = undefined;
    this.#tellOf("python died", reason);
    this.services.close();
    this.#inner.endAll(hostFailed(reason, "unknown"));
    this.#early = this.#newEarly();
    this.#early.inherit(reason, this.holds.wishes(), this.#calls.running());
    this.#calls.settleAll(hostFailed(reason, "unknown"));
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
}

/** @param {string | undefined} facts JSON text @returns {number} which turn of its loop the caller is in */
function iterationOf(facts) {
  const { iteration } = Object(facts && JSON.parse(facts));
  return Number.isSafeInteger(iteration) && iteration > 0 ? iteration : 0;
}
