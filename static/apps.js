/** The page's apps: started one after another, in the one interpreter that the first start boots. */
import { Attachment } from "./attachment.js";
import { PageContext } from "./context.js";
import { absolute } from "./fetching.js";
import { whenIdle } from "./idle.js";
import { Interpreter } from "./interpreter.js";
import { withLimit } from "./limit.js";
import { checkAttachOptions, checkOptions, readScripts } from "./options.js";
import { promise } from "./promising.js";
import { asProblem, Readiness } from "./readiness.js";
import { nameOf, remember } from "./remembered.js";
import { fetchApp } from "./sources.js";
import { Started } from "./started.js";

/** @typedef {import("./readiness.js").Status} Status */
/** @typedef {import("./options.js").StartOptions} StartOptions */
/** @typedef {import("./options.js").AttachOptions} AttachOptions */

/** How long a start waits for the browser to decide on an app's tools; a decision that is later still counts. */
const DECISION_MS = 1_000;

export class Apps {
  #border;
  #version;
  #context;
  #interpreter;
  /** Whether there was a start that can be made. */
  #hasBegun = false;
  #comeNow = () => {};
  /** Settles when something needs Python. @type {Promise<void>} */
  #needed = new Promise((resolve) => {
    this.#comeNow = resolve;
  });
  /** Whether it comes, if only when the page is idle. */
  #isAsked = false;
  #attachment = new Attachment();
  /** Ends with the start before, failed or not: apps load in the order of their starts. */
  #queue = Promise.resolve();
  /** The tags whose apps are started. @type {WeakSet<HTMLScriptElement>} */
  #scripts = new WeakSet();
  #started = new Started();

  /**
   * @param {object} options
   * @param {import("./border.js").Border} options.border
   * @param {string} options.version the library's
   * @param {string} options.runtime base URL of the default runtime, ends with "/"
   * @param {import("./context.js").PolyfillMode} options.polyfill what holds before there is a start that says
   * @param {import("./pointing.js").CursorMode} options.cursor the same
   * @param {(status: Status, reason?: string) => void} options.onStatus told when the status is another
   */
  constructor({ border, version, runtime, polyfill, cursor, onStatus }) {
    this.#border = border;
    border.pointing.mode = cursor;
    this.#version = version;
    /** Whether they are up. */
    this.readiness = new Readiness(onStatus);
    this.#context = new PageContext(border, polyfill);
    this.#interpreter = new Interpreter({
      ...{ border, runtime, context: this.#context },
      onDeath: (error) => this.die(error),
    });
  }

  /** The apps that were started, and what has become of them. */
  get started() {
    return this.#started.list();
  }

  /**
   * Start apps in their order, in one interpreter. One that fails does not keep the next from starting.
   *
   * @param {StartOptions[]} list
   */
  startAll(list) {
    this.#expect(list.length);
    const all = allOf(list.map((options) => this.#enqueue(options)));
    all.catch(() => {});
    this.readiness.begun(all);
    return all;
  }

  /**
   * Have the page's own Python run its tools, and its apps; see `Host.attach`.
   *
   * @param {unknown} given Pyodide, or a promise of it
   * @param {AttachOptions} [options]
   * @returns {Promise<void>}
   */
  attach(given, options = {}) {
    return this.#attachment.take(given, () => {
      this.#expect(1);
      const done = this.#attach(given, options)
        .catch((error) => this.readiness.fail(error))
        .finally(() => this.readiness.over());
      this.readiness.begun(done);
      return done;
    });
  }

  /**
   * Start the apps of a document's script tags, each tag once, whichever copy of the library asks.
   *
   * @param {Document} doc
   * @param {string} runtime the base URL that holds where a tag names none
   */
  startScripts(doc, runtime) {
    const fresh = readScripts(doc).filter(([script]) => !this.#scripts.has(script));
    for (const [script] of fresh) this.#scripts.add(script);
    const list = fresh.map(([, options]) => ({ ...options, runtime: options.runtime ?? runtime }));
    if (list.length > 0) this.startAll(list);
  }

  /** A tool is defined: find where it is registered, where no start has. */
  needContext() {
    this.#context.find().catch((error) => {
      console.error(`webtools: ${asProblem(error).message}`);
    });
  }

  /**
   * Something needs Python: where an app is being started, it comes.
   *
   * @param {boolean} isUrgent now, or when the page is idle
   */
  need(isUrgent) {
    if (!this.readiness.isComing) return;
    if (isUrgent) this.#comeNow();
    else if (!this.#isAsked) whenIdle(this.#comeNow);
    this.#isAsked = true;
  }

  /** Python is dead; harmless twice. @param {unknown} error */
  die(error) {
    const death = this.#interpreter.die(error);
    if (death) this.readiness.spoil(death);
  }

  /** @param {unknown} given @param {AttachOptions} options */
  async #attach(given, options) {
    checkAttachOptions(options);
    this.#interpreter.checkFree();
    this.#begin(options);
    const boot = this.#interpreter.attach(given, options);
    this.#attachment.arrive();
    this.#comeNow();
    await boot;
    await withLimit(this.#border.decided(), DECISION_MS, () => {});
  }

  /** So many starts more: where Python did not come up before, it is booted anew. @param {number} count */
  #expect(count) {
    if (!this.readiness.isComing) this.#interpreter.forgetFailure();
    this.readiness.expect(count);
  }

  /** What the first start says holds for the page. @param {{cursor?: import("./pointing.js").CursorMode}} options */
  #begin({ cursor }) {
    if (!this.#hasBegun && cursor) this.#border.pointing.mode = cursor;
    this.#hasBegun = true;
  }

  /** @param {StartOptions} options */
  #enqueue(options) {
    const promised = this.#promise(options);
    const name = nameOfApp(options);
    this.#started.begin(name, options);
    const started = this.#queue
      .then(() => this.#load(options, promised))
      .then((manifest) => this.#started.succeed(name, manifest))
      .catch((error) => {
        this.#started.fail(name, asProblem(error).message);
        return this.readiness.fail(error);
      });
    const done = started.finally(() => this.readiness.over());
    this.#queue = done.catch(() => {});
    return done;
  }

  /**
   * Register what an app is going to define, where that is known.
   *
   * @param {StartOptions} options
   * @returns {Promise<void> | undefined} settles when Python may be fetched; never rejects
   */
  #promise(options) {
    try {
      checkOptions(options);
    } catch {
      return; // its start will tell
    }
    const { boot = "eager" } = options;
    this.#begin(options);
    if (boot === "eager") this.need(true);
    if (boot === "idle") this.need(false);
    return promise(options, {
      ...{ border: this.#border, version: this.#version },
      ...{ context: this.#context, interpreter: this.#interpreter },
      onNeed: () => this.need(false),
    });
  }

  /**
   * @param {StartOptions} options
   * @param {Promise<void> | undefined} promised
   * @returns {Promise<string | undefined>} its manifest, where it can be written down
   */
  async #load(options, promised) {
    checkOptions(options);
    await Promise.all([
      promised,
      options.boot === "attach" ? this.#attachment.arriving : this.#needed,
    ]);
    const url = absolute(options.app);
    const app = fetchApp(url, options.entry);
    app.catch(() => {}); // looked at below, after Python
    await this.#interpreter.boot(options);
    await this.#interpreter.load(url, app, options.packages ?? "");
    await withLimit(this.#border.decided(), DECISION_MS, () => {});
    const manifest = this.#border.python?.manifest(url, this.#version);
    if (manifest !== undefined) remember(nameOf(url, options), manifest);
    return manifest;
  }
}

/**
 * Wait for all of them.
 *
 * @param {Promise<void>[]} starts
 * @returns {Promise<void>} rejects, when all are done, with the error of the first that failed
 */
async function allOf(starts) {
  const outcomes = await Promise.allSettled(starts);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** @param {StartOptions} options that may mean nothing @returns {string} */
function nameOfApp(options) {
  const { app } = Object(options);
  return URL.canParse(app, document.baseURI) ? absolute(app) : String(app);
}
