/** The page's host: `window.webtools`. */
import { invalidInput, outcomeOf } from "./answers.js";
import { Apps } from "./apps.js";
import { Border } from "./border.js";
import { CALL_OPTIONS, Client } from "./client.js";
import { formAnswer } from "./form-answer.js";
import { Interrupted } from "./interrupted.js";
import { Inspecting } from "./inspecting.js";
import { knownOptions } from "./known.js";
import { opened } from "./opened.js";
import { inspectorOf } from "./options.js";
import { untilSettled } from "./settled.js";
import { describe, statedText } from "./wire.js";

/** @typedef {import("./readiness.js").Status} Status */
/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./client.js").CallOptions} CallOptions */
/** @typedef {import("./options.js").StartOptions} StartOptions */

/**
 * @typedef {object} ToolState
 * @property {string} name
 * @property {"waiting" | "registering" | "registered" | "leaving" | "failed"} state
 * @property {string} [reason] why it failed, in the browser's words
 * @property {number} inFlight calls that have begun and not settled
 * @property {number} calls calls that have begun, in all
 */

/**
 * An EventTarget of `status` (`detail` has `status`, `reason?`), `toolstate` (`tool`, `state`, `reason?`), `callstart`
 * (`tool`, `callId`), `callprogress` (`tool`, `callId`, and what `Report` has) and `callend` (`tool`, `callId`, `outcome` = "done" | "error", `code?`, `ms`, `answer`), `teardown` (what `Teardown` has), each fired
 * in a microtask. Its functions can be taken off it and called alone.
 */
export class Host extends EventTarget {
  #apps;
  #border;
  #client;
  /** @type {Map<string, Record<string, unknown>>} */
  #exposed = new Map();
  #inFlight = new Interrupted(window);
  #inspecting;
  /** The types of events that were ever listened to. @type {Set<string>} */
  #heard = new Set();

  /**
   * @param {object} options
   * @param {string} options.runtime base URL of the default runtime, ends with "/"
   * @param {string} options.version the library's
   * @param {import("./context.js").PolyfillMode} [options.polyfill] what holds before there is a start that says
   * @param {import("./pointing.js").CursorMode} [options.cursor] the same
   */
  constructor({ runtime, version, polyfill = "auto", cursor = "auto" }) {
    super();
    this.version = version;
    this.#border = new Border(this.#exposed, this.#listeners());
    this.#inspecting = new Inspecting(this, this.#border);
    this.#apps = new Apps({
      border: this.#border,
      version,
      runtime,
      polyfill,
      cursor,
      onStatus: (status, reason) => this.#tell("status", { status, ...(reason && { reason }) }),
    });
    this.#client = new Client(this.#border, this.#apps, this);
    /**
     * Settles with the page's first apps: those of its script tags, else that of the first `start`. It rejects with
     * the error of the one that failed, and is never an unhandled rejection.
     */
    this.ready = this.#apps.readiness.ready;
    /** The calls that were in flight when this tab's page before, of the same origin, was left; at most 50. */
    this.interrupted = this.#inFlight.take();
    window.addEventListener("pagehide", ({ persisted }) => {
      this.#inFlight.keep(); // before they are answered
      this.#border.leave(persisted);
    });
    window.addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.#inFlight.forget();
      this.#border.restore();
    });
  }

  /** "loading" until the apps asked for are up; "failed" when Python or one of them could not be started. */
  get status() {
    return this.#apps.readiness.status;
  }

  /**
   * Start an app, and Python before it where it is not up yet.
   *
   * @param {StartOptions} options
   * @returns {Promise<void>} rejects with what went wrong, which the console has been told
   */
  start = (options) => this.startAll([options]);

  /**
   * Have a Python that the page has already run its tools, instead of one of ours. `webtools` can be imported there
   * then, what its code defines with `@tool` at the top of a module is held, and apps are loaded there. Its settings
   * stay as they are.
   *
   * @param {any} pyodide what `loadPyodide()` gives, or the promise of it, or `pyodide_js` of Python
   * @param {import("./options.js").AttachOptions} [options]
   * @returns {Promise<void>} the same for the same Python; rejects with what went wrong, or where the page has another
   */
  attach = (pyodide, options) => {
    this.#inspecting.begin(Object(options).inspector); // its attaching tells
    return this.#apps.attach(pyodide, options);
  };

  /**
   * Start apps in their order, in one interpreter. One that fails does not keep the next from starting.
   *
   * @param {StartOptions[]} list
   */
  startAll(list) {
    for (const options of list) this.#inspecting.begin(Object(options).inspector); // its start tells
    return this.#apps.startAll(list);
  }

  /**
   * Start the apps of a document's script tags, each tag once, whichever copy of the library asks.
   *
   * @param {Document} doc
   * @param {string} runtime the base URL that holds where a tag names none
   */
  startScripts(doc, runtime) {
    this.#inspecting.begin(inspectorOf(doc), (problem) => console.error(`webtools: ${problem}`));
    this.#apps.startScripts(doc, runtime);
  }

  /**
   * The page's tools, in the order in which they came; before Python is up, those that JavaScript defines or a manifest
   * promises.
   *
   * @returns {ToolState[]}
   */
  tools = () => this.#border.states();

  /**
   * The page's apps, in the order in which they were first started. Whoever starts one again with its options loads it
   * anew: tools whose definition is equal stay registered.
   *
   * @returns {import("./started.js").StartedApp[]}
   */
  apps = () => this.#apps.started;

  /**
   * Call a tool as an agent would, whether or not there is a model context. While an app is being started it waits.
   *
   * @param {string} name
   * @param {unknown} [input] an object that JSON can hold
   * @param {CallOptions} [options]
   * @returns {Promise<Answer>} never rejects: errors are answers with `isError`
   */
  call = async (name, input, options) => {
    try {
      const { signal, ...facts } = knownOptions("webtools.call", options, CALL_OPTIONS);
      const stated = Object.keys(facts).length > 0 ? statedText("the options", facts) : undefined;
      return await this.#client.call(name, input, signal, stated);
    } catch (error) {
      return invalidInput(`The call's options cannot be used (${describe(error)}).`);
    }
  };

  /**
   * Hold a tool that Python defines: it is registered while a hold of it stands. It may be called before Python is up,
   * and before an app defines the tool.
   *
   * @param {string} name
   * @param {import("./holds.js").HoldOptions} [options]
   * @returns {import("./holds.js").Hold}
   */
  hold = (name, options) => this.#border.holds.hold(name, options);

  /**
   * Define a tool whose handler is written in JavaScript, and hold it; or a list of pairs of definition and handler, as
   * a set. It works with Python, before it is up, and without it.
   *
   * @param {import("./holds.js").ToolDefinition | [import("./holds.js").ToolDefinition, import("./handlers.js").Handler][]} definition
   * @param {import("./handlers.js").Handler | import("./holds.js").HoldOptions} [handler] of one tool; of a list, the
   *   options
   * @param {import("./holds.js").HoldOptions} [options]
   * @returns {import("./holds.js").Hold}
   */
  define = (definition, handler, options) => {
    const hold = this.#border.holds.define(definition, handler, options);
    this.#apps.needContext();
    return hold;
  };

  /**
   * Have a form be a tool while it is in the document: a call fills it, and submits it or leaves that to the person.
   *
   * @param {HTMLFormElement | string} form the form, or a selector; then it is the first that fits, whenever one does
   * @param {import("./form-tools.js").FormToolOptions} options `{name, description, title?, annotations?, submit?,
   *   resourceId?, owner?}`; `submit` is "person" (default) or "agent"
   * @returns {import("./holds.js").Hold} its status is "unknown" while there is no such form
   */
  formTool = (form, options) => {
    const hold = this.#border.forms.hold(form, options);
    this.#apps.needContext();
    return hold;
  };

  /**
   * Answer a form's submission, whoever made it, in the submit handler and before anything is waited for. The browser
   * does not make it then.
   *
   * @param {SubmitEvent | {nativeEvent: Event, preventDefault(): void}} event
   * @param {unknown} answer a value, a promise of one, or a function that gives either
   * @returns {Promise<Answer>} what was answered; never rejects. It settles when an agent that submitted has the answer:
   *   until then the form has to stay in the document
   */
  formAnswer = (event, answer) => formAnswer(event, answer);

  /**
   * Leave the page's route for another. At once, calls of what the last change held are stale, what they ask the person
   * is closed, and it is released. Then the function changes the page, and names with `route.hold(name)` and
   * `route.define(definition, handler)` what belongs to the new route: it is held when the function has ended, not where
   * it throws. Tools of a path leave meanwhile as ever, and come when it has ended. A newer change wins over one that is
   * open, also where Python has begun it.
   *
   * @param {(route: import("./route-change.js").RouteChange) => unknown} body may return a promise
   * @returns {Promise<void>} settles when the new route's tools are held; rejects with what the function throws
   */
  navigate = async (body) => {
    await this.#border.routes.navigate(body);
    if (this.#border.holds.hasDefinitions) this.#apps.needContext();
  };

  /**
   * Wait until the page's tools have stopped changing, as after a call that navigated.
   *
   * @param {import("./settled.js").SettledOptions} [options]
   * @returns {Promise<void>} rejects with a TypeError where an option is no time
   */
  settled = (options) => untilSettled(document.modelContext, options);

  /**
   * Let Python use functions of the page: `page(name)` there. Exposing a name again replaces what it had.
   *
   * @param {string} name
   * @param {Record<string, any>} functions take and return what JSON can hold, at once or as a promise
   */
  expose = (name, functions) => {
    if (typeof name !== "string" || !name)
      throw new TypeError("webtools.expose: the name is missing.");
    if (typeof functions !== "object" || functions === null) {
      throw new TypeError(`webtools.expose("${name}"): give an object of functions.`);
    }
    this.#exposed.set(name, functions);
  };

  /**
   * Ask the person in the page's own way instead of the library's dialog; what they are being asked at this moment, too.
   *
   * @param {import("./confirm.js").Ask | null} ask `({tool, title, message, arguments, signal}) => boolean`, at once or
   *   as a promise: only true allows it; null: the library's dialog again
   */
  confirmWith = (ask) => {
    if (ask !== null && typeof ask !== "function") {
      throw new TypeError("webtools.confirmWith: give a function that asks the person, or null.");
    }
    this.#border.confirmations.askWith(ask ?? undefined);
  };

  /**
   * Provide the credentials that tools in Python need. What the provider before gave is forgotten.
   *
   * @param {import("./credentials.js").Provide | null} provide `({service, scopes, identity, signal}) => ({headers,
   *   expiresAt?}) | null`, at once or as a promise; null: there are none any more
   */
  credentialsWith = (provide) => {
    if (provide !== null && typeof provide !== "function") {
      throw new TypeError("webtools.credentialsWith: give a function that gives headers, or null.");
    }
    this.#border.services.provideWith(provide ?? undefined);
  };

  /**
   * Say that a run of an agent is over, also by an error, but not by a pause: what tools keep for it is closed.
   *
   * @param {string} runId as its calls have stated it
   * @param {import("./endings.js").EndOptions} [options]
   * @returns {Promise<void>} settles when it is closed, 5 s later at most
   */
  endRun = (runId, options) => this.#border.services.end("run", runId, options);

  /**
   * Say that a session is over: what tools keep for it is closed.
   *
   * @param {string} sessionId as its calls have stated it
   * @param {import("./endings.js").EndOptions} [options]
   * @returns {Promise<void>} settles when it is closed, 5 s later at most
   */
  endSession = (sessionId, options) => this.#border.services.end("session", sessionId, options);

  /**
   * Open an artifact that a call from the browser has kept, so that the page can show it. While an app is being
   * started it waits.
   *
   * @param {string} ref
   * @returns {Promise<import("./opened.js").OpenArtifact | null>} `release()` it when it is not shown any more; null
   *   where there is none; rejects where that cannot be told
   */
  openArtifact = async (ref) => {
    if (this.#apps.readiness.isComing) await this.#client.wait();
    return opened(await this.#border.services.readArtifact(`${ref}`));
  };

  /**
   * Show the inspector, on any page. It has what happens from now on; where the page asked for it with `inspector`, from
   * its start on.
   *
   * @returns {Promise<void>} settles when it is shown; rejects where it cannot be loaded
   */
  inspect = () => this.#inspecting.open();

  /** @returns {import("./border.js").Listeners} */
  #listeners() {
    return {
      onState: (tool, state, reason) => this.#tell("toolstate", { tool, state, reason }),
      onCallStart: (tool, callId) => {
        this.#inFlight.started(tool, callId);
        this.#tell("callstart", { tool, callId });
      },
      onCallProgress: (tool, callId, report) =>
        this.#tell("callprogress", { ...report, tool, callId }),
      onCallEnd: (tool, callId, answer, ms) => {
        this.#inFlight.ended(callId);
        this.#tell("callend", { tool, callId, ...outcomeOf(answer), ms, answer });
      },
      onTeardown: (teardown) => this.#tell("teardown", { ...teardown }),
      onNeed: (isUrgent) => this.#apps.need(isUrgent),
      onDeath: (error) => this.#apps.die(error),
    };
  }

  /**
   * Note that somebody listens: an event that nobody hears is not made, since calls have two each.
   *
   * @param {string} type
   * @param {EventListenerOrEventListenerObject | null} listener
   * @param {boolean | AddEventListenerOptions} [options]
   */
  addEventListener(type, listener, options) {
    this.#heard.add(type);
    super.addEventListener(type, listener, options);
  }

  /**
   * @param {string} type
   * @param {Record<string, unknown>} detail
   */
  #tell(type, detail) {
    if (!this.#heard.has(type)) return;
    queueMicrotask(() => this.dispatchEvent(new CustomEvent(type, { detail })));
  }
}
