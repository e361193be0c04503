/**
 * Tells the cursor of the page's calls. The cursor itself (`cursor.js`) is loaded when a tool says where it is in the
 * page; until then a call costs nothing here.
 */
import { attempt } from "./fetching.js";
import { withLimit } from "./limit.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./cursor.js").Cursor} Cursor */
/** @typedef {import("./places.js").Target} Target */
/** @typedef {import("./places.js").Place} Place */
/** @typedef {"auto" | "off"} CursorMode */
/** @typedef {Pick<import("./border.js").Listeners, "onCallProgress" | "onCallEnd">} Listeners */

/**
 * What is known of the page's tools.
 *
 * @typedef {object} Tools
 * @property {(name: string) => Place | undefined} placeOf what the page's newest hold of the tool says that says something
 * @property {(name: string) => {title?: string, target?: string | true} | undefined} definitionOf what the browser has
 */

/** How long tools wait for the cursor's files. */
const LOAD_MS = 2_000;

/** How long the first call that has fields does, as long as filling them takes at most; no other one waits then. */
const FIELDS_MS = 400;

export class Pointing {
  #tools;
  #load;
  #isOff = false;
  /** Whether its files have kept a call waiting for nothing. */
  #isSlow = false;
  /** Settles when the cursor is there, or cannot be had. @type {Promise<void> | undefined} */
  #loading;
  /** Whether its files could not be loaded; what comes next tries again. */
  #hasFailed = false;
  /** @type {Cursor | undefined} */
  #cursor;
  /** What it is to do as soon as it is there. @type {((cursor: Cursor) => void)[]} */
  #later = [];
  /** The calls that it shows, and their tools. @type {Map<string, string>} */
  #shown = new Map();

  /**
   * @param {Tools} tools
   * @param {() => Promise<{Cursor: new () => Cursor}>} [load]
   */
  constructor(tools, load = () => attempt("cursor.js", () => import("./cursor.js"))) {
    this.#tools = tools;
    this.#load = load;
  }

  /** Whether the page wants a cursor. */
  set mode(/** @type {CursorMode} */ mode) {
    this.#isOff = mode === "off";
  }

  /** A tool is there that says where it is. */
  expect() {
    if (this.#isOff) return;
    this.#loading ??= this.#load().then(
      ({ Cursor }) => {
        this.#cursor = new Cursor();
        for (const act of this.#later.splice(0)) this.#do(act);
      },
      () => {
        this.#loading = undefined; // the page works without
        this.#hasFailed = true;
        this.#later.length = 0;
      },
    );
  }

  /** Settles when whatever observes calls is installed: at once where nothing does. @returns {Promise<void>} */
  async installed() {
    if (this.#loading && !this.#isOff) await withLimit(this.#loading, LOAD_MS, () => {});
  }

  /**
   * Hear what becomes of calls, too.
   *
   * @template {Listeners} T
   * @param {T} listeners
   * @returns {T}
   */
  hearing(listeners) {
    return {
      ...listeners,
      onCallProgress: (tool, callId, report) => {
        if (this.#shown.has(callId)) this.#do((cursor) => cursor.report(callId, report));
        listeners.onCallProgress(tool, callId, report);
      },
      onCallEnd: (tool, callId, answer, ms) => {
        if (this.#shown.size > 0) this.#end(callId, answer);
        listeners.onCallEnd(tool, callId, answer, ms);
      },
    };
  }

  /**
   * A call has begun.
   *
   * @param {string} tool
   * @param {string} callId
   * @param {string} text the input, JSON text
   */
  began(tool, callId, text) {
    if (this.#hasFailed) this.expect();
    if (!this.#loading || this.#isOff) return;
    const target = this.#tools.placeOf(tool)?.target ?? this.#tools.definitionOf(tool)?.target;
    if (target !== undefined && target !== true) this.#point(tool, callId, target, text);
  }

  /**
   * Show a call of Python's as it is entered.
   *
   * @param {string} callId
   * @param {{tool: string, target?: string, fields: [string, unknown][]}} wanted
   * @returns {Promise<void> | undefined} something to wait for, where filling the fields takes a moment
   */
  show(callId, { tool, target, fields }) {
    this.expect();
    const isHeldElsewhere = this.#tools.placeOf(tool)?.target !== undefined;
    if (target !== undefined && !isHeldElsewhere) this.#point(tool, callId, target, "{}");
    return this.#fill(tool, callId, fields, "{}");
  }

  /**
   * Show what a handler in JavaScript is called with.
   *
   * @param {string} tool
   * @param {string} callId
   * @param {Record<string, Target> | undefined} fields
   * @param {string} text the input, JSON text
   * @returns {Promise<void> | undefined} as `show`
   */
  showInput(tool, callId, fields, text) {
    if (!fields) return undefined;
    const input = JSON.parse(text);
    const values = Object.entries(fields).map(([name, control]) => [control, input?.[name]]);
    return this.#fill(tool, callId, /** @type {[Target, unknown][]} */ (values), text);
  }

  /** @param {string} tool @param {string} callId @param {Target} target @param {string} text */
  #point(tool, callId, target, text) {
    if (this.#isOff) return;
    this.#shown.set(callId, tool);
    this.#do((cursor) => cursor.point(callId, this.#subject(tool, text), target));
  }

  /**
   * @param {string} tool
   * @param {string} callId
   * @param {[Target, unknown][]} fields
   * @param {string} text
   */
  #fill(tool, callId, fields, text) {
    if (fields.length === 0 || this.#isOff || !this.#loading) return undefined;
    if (this.#isSlow && !this.#cursor) return undefined;
    this.#shown.set(callId, tool);
    const filling = () => {
      if (!this.#shown.has(callId)) return undefined;
      return this.#do((cursor) => cursor.fill(callId, this.#subject(tool, text), fields));
    };
    if (this.#cursor) return filling();
    let isLate = false;
    const late = () => void (isLate = this.#isSlow = true); // the handler runs: nothing is filled behind its back
    return withLimit(
      this.#loading.then(() => (isLate ? undefined : filling())),
      FIELDS_MS,
      late,
    );
  }

  /** @param {string} tool @param {string} text */
  #subject(tool, text) {
    return { tool, title: this.#tools.definitionOf(tool)?.title || tool, text };
  }

  /** @param {string} callId @param {Answer} answer */
  #end(callId, answer) {
    if (!this.#shown.delete(callId)) return;
    const hasDone = !(answer.isError && answer.structuredContent?.error?.effect === "none");
    this.#do((cursor) => cursor.end(callId, hasDone));
  }

  /**
   * Now, or when it is there; those of a call stay in their order. What fails must not keep a tool from working.
   *
   * @template T
   * @param {(cursor: Cursor) => T} act
   * @returns {T | undefined}
   */
  #do(act) {
    if (this.#isOff) return undefined;
    if (!this.#cursor) {
      this.#later.push(act);
      return undefined;
    }
    try {
      return act(this.#cursor);
    } catch (error) {
      this.#isOff = true;
      console.error("webtools: the cursor cannot be drawn", error);
      return undefined;
    }
  }
}
