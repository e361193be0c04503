/** The page's apps: started one after another, in the one interpreter that the first start boots. */
import { hearOfDeath, joinPython } from "./attaching.js";
import { Attachment } from "./attachment.js";
import { bootPython } from "./boot.js";
import { absolute, BootError } from "./fetching.js";
import { nativeContext, polyfilledContext } from "./context.js";
import { Crossing } from "./crossing.js";
import { whenIdle } from "./idle.js";
import { installLateStdlib } from "./late-stdlib.js";
import { withLimit } from "./limit.js";
import { fetchManifest } from "./manifest.js";
import { watchPlace } from "./navigation.js";
import { checkAttachOptions, checkOptions, OptionError, readScripts } from "./options.js";
import { packageInstaller } from "./packages.js";
import { nameOf, recall, remember } from "./remembered.js";
import { fetchApp } from "./sources.js";
import { Started } from "./started.js";
import { describe } from "./wire.js";

/** @typedef {"loading" | "ready" | "failed"} Status */
/** @typedef {import("./options.js").StartOptions} StartOptions */
/** @typedef {import("./options.js").AttachOptions} AttachOptions */

/** How long a start waits for the browser to decide on an app's tools; a decision that is later still counts. */
const DECISION_MS = 1_000;

/** How long Python waits for a manifest, so that its tools are there first. */
const MANIFEST_MS = 2_000;

const HAS_PYTHON =
  "webtools.attach: this page's tools have a Python already, which an app has started. Attach before it is started, or " +
  'let it wait: data-boot="attach".';

export class Apps {
  #border;
  #version;
  #runtime;
  #polyfill;
  /** Whether there was a start that can be made. */
  #hasBegun = false;
  #onStatus;
  /** @type {Status} */
  #status = "loading";
  /** Set while an app of the latest starts has failed. @type {Error | undefined} */
  #failure;
  #pending = 0;
  /** Whether the boot failed; a start that joins it shares its end, a later one tries again. */
  #isBootSpoiled = false;
  /** @type {Promise<void> | undefined} */
  #boot;
  /** @type {Promise<void> | undefined} */
  #context;
  /** @type {(() => void) | undefined} */
  #unwatchPlace;
  /** Fetches what an app imports and Python has not yet. @type {(app: import("./sources.js").App) => Promise<void>} */
  #prepare = async () => {};
  /** Installs the packages that an app names. @type {(packages: string) => Promise<void>} */
  #install = async () => {};
  /** Why Python died, once it has. @type {Error | undefined} */
  #death;
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
  /** @type {(all: Promise<void>) => void} */
  #settleReady = () => {};
  /** The tags whose apps are started. @type {WeakSet<HTMLScriptElement>} */
  #scripts = new WeakSet();
  #started = new Started();
  /** What the console has been told. @type {WeakSet<Error>} */
  #reported = new WeakSet();

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
    this.#runtime = runtime;
    this.#polyfill = polyfill;
    this.#onStatus = onStatus;
    /** Settles with the first apps; see `Host`. @type {Promise<void>} */
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.ready.catch(() => {});
  }

  /** "loading" until the apps asked for are up; "failed" when Python or one of them could not be started. */
  get status() {
    return this.#status;
  }

  /** Why an app of the latest starts has failed, if one has. */
  get failure() {
    return this.#failure;
  }

  /** The apps that were started, and what has become of them. */
  get started() {
    return this.#started.list();
  }

  /** Whether an app is being started. */
  get isComing() {
    return this.#pending > 0;
  }

  /**
   * Start apps in their order, in one interpreter. One that fails does not keep the next from starting.
   *
   * @param {StartOptions[]} list
   */
  startAll(list) {
    if (this.#pending === 0) this.#forgetFailure();
    this.#pending += list.length;
    const all = allOf(list.map((options) => this.#enqueue(options)));
    all.catch(() => {});
    this.#settleReady(all);
    this.#setStatus();
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
      if (this.#pending === 0) this.#forgetFailure();
      this.#pending += 1;
      const done = this.#attach(given, options)
        .catch((error) => this.#fail(error))
        .finally(() => {
          this.#pending -= 1;
          this.#setStatus();
        });
      this.#settleReady(done);
      this.#setStatus();
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
    this.#findContext(this.#polyfill).catch((error) => {
      console.error(`webtools: ${asProblem(error).message}`);
    });
  }

  /**
   * Something needs Python: where an app is being started, it comes.
   *
   * @param {boolean} isUrgent now, or when the page is idle
   */
  need(isUrgent) {
    if (this.#pending === 0) return;
    if (isUrgent) this.#comeNow();
    else if (!this.#isAsked) whenIdle(this.#comeNow);
    this.#isAsked = true;
  }

  /** Python is dead; harmless twice. @param {unknown} error */
  die(error) {
    if (this.#death) return; // it is known
    const { name = "an error" } = /** @type {{name?: string}} */ (Object(error));
    // the text may hold a traceback: it is for the console, not for an agent
    const death = new BootError(`Python died (${name}). Reload the page.`, describe(error));
    this.#death = death;
    this.#unwatchPlace?.();
    this.#prepare = async () => {};
    this.#install = async () => {};
    this.#border.die(death.message);
    this.#boot = Promise.reject(death);
    this.#boot.catch(() => {});
    this.#report(death);
    this.#setStatus();
  }

  /** @param {unknown} given @param {AttachOptions} options */
  async #attach(given, options) {
    checkAttachOptions(options);
    if (this.#death) throw this.#death;
    if (this.#boot) throw new OptionError(HAS_PYTHON);
    this.#begin(options);
    this.#boot = this.#startPython(options, { given });
    this.#boot.catch(() => {}); // it is waited for below, and by apps
    this.#attachment.arrive();
    this.#comeNow();
    await this.#boot;
    await withLimit(this.#border.decided(), DECISION_MS, () => {});
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
        return this.#fail(error);
      });
    const done = started.finally(() => {
      this.#pending -= 1;
      this.#setStatus();
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /**
   * Register what an app is going to define, where that is known.
   *
   * @param {StartOptions} options
   * @returns {Promise<void>} settles when Python may be fetched; never rejects
   */
  async #promise(options) {
    try {
      checkOptions(options);
    } catch {
      return; // its start will tell
    }
    const { boot = "eager", manifest } = options;
    this.#begin(options);
    if (boot === "eager") this.need(true);
    if (boot === "idle") this.need(false);
    if (!this.#mayPromise) return;
    this.#border.expectPython();
    if (manifest === undefined) return this.#promiseTools(options);
    const fetched = fetchManifest(absolute(manifest), this.#version);
    const promised = fetched.then((tools) => this.#promiseTools(options, tools));
    await withLimit(promised, MANIFEST_MS, () => {});
  }

  /**
   * @param {StartOptions} options
   * @param {import("./promised.js").PromisedTool[]} [given] default: what is remembered
   */
  #promiseTools(options, given) {
    const { app, polyfill = this.#polyfill } = options;
    const tools = given ?? recall(nameOf(absolute(app), options), this.#version);
    if (tools && this.#mayPromise) {
      this.#watchPlace();
      this.#border.promise(absolute(app), tools);
      this.#findContext(polyfill).catch(() => {}); // Python's start will tell
    }
    // no call can come of a tool that is not there
    if (!tools?.length || this.#border.waitsForPython) this.need(false);
  }

  /** Whether Python may come up. */
  get #mayPromise() {
    return !this.#death && !this.#isBootSpoiled;
  }

  /**
   * @param {StartOptions} options
   * @param {Promise<void>} promised
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
    await (this.#boot ??= this.#startPython(options));
    try {
      await this.#install(options.packages ?? "");
      await this.#prepare(await app);
      const problem = this.#border.load(url, await app);
      if (this.#death) throw this.#death;
      if (problem) throw new BootError(problem.message, problem.traceback);
    } catch (error) {
      this.#border.giveUp(url, asProblem(error).message);
      throw error;
    }
    await withLimit(this.#border.decided(), DECISION_MS, () => {});
    const manifest = this.#border.manifest(url, this.#version);
    if (manifest !== undefined) remember(nameOf(url, options), manifest);
    return manifest;
  }

  /** Tell where the page is, now and whenever it has moved. */
  #watchPlace() {
    this.#unwatchPlace ??= watchPlace(window, (place) => this.#border.moved(place));
    this.#border.moved(window.location);
  }

  /**
   * @param {import("./options.js").PythonOptions & {snapshot?: import("./boot.js").SnapshotMode}} options
   * @param {{given: unknown}} [attached] the page's own Python; default: it is made
   */
  async #startPython(
    { runtime, snapshot, polyfill = this.#polyfill, artifacts = "memory", debug = false },
    attached,
  ) {
    const border = this.#border;
    try {
      const base = runtime ? absolute(runtime).replace(/\/?$/, "/") : this.#runtime;
      border.expectPython();
      const [{ pyodide, runtime: found }] = await Promise.all([
        attached ? joinPython(attached.given, base) : bootPython(base, snapshot),
        this.#findContext(polyfill),
      ]);
      const crossing = pyodide.pyimport("webtools.browser.crossing");
      border.attach(new Crossing(border).start(crossing, debug, artifacts));
      if (attached) border.follow();
      else {
        this.#prepare = installLateStdlib(pyodide, found);
        border.keepLog();
      }
      this.#install = packageInstaller(pyodide, this.#prepare);
      this.#watchPlace();
      // a death in a turn of Python's own event loop passes through no call of ours
      hearOfDeath(pyodide, (error) => this.die(error));
    } catch (error) {
      this.#isBootSpoiled = true;
      this.#unwatchPlace?.();
      this.#unwatchPlace = undefined;
      const problem = asProblem(error);
      border.goOnAlone(problem.message);
      throw problem;
    }
  }

  /**
   * Find where tools are registered, once: at the first start, or the first definition.
   *
   * @param {import("./context.js").PolyfillMode} polyfill
   */
  async #findContext(polyfill) {
    if (this.#border.hasContext) return;
    const native = nativeContext(polyfill);
    if (native) return this.#border.attachContext(native);
    this.#context ??= polyfilledContext(polyfill)
      .then(async (context) => {
        await this.#border.pointing.installed(); // before the tools that wait are registered
        this.#border.attachContext(context);
      })
      .catch((error) => {
        this.#context = undefined; // the next one tries again
        throw error;
      });
    return this.#context;
  }

  /** What failed before does not speak of the next start, which boots anew where Python did not come up. */
  #forgetFailure() {
    this.#failure = undefined;
    if (this.#isBootSpoiled) this.#boot = undefined;
    this.#isBootSpoiled = false;
  }

  /**
   * @param {unknown} error
   * @returns {never}
   */
  #fail(error) {
    const problem = asProblem(error);
    this.#report(problem);
    throw problem;
  }

  /** @param {Error} problem it comes here once for each app that it keeps from loading, and is told once */
  #report(problem) {
    this.#failure ??= problem;
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    const trace = typeof problem.cause === "string" && problem.cause ? `\n${problem.cause}` : "";
    console.error(`webtools: ${problem.message}${trace}`);
  }

  #setStatus() {
    const status = this.#pending > 0 ? "loading" : this.#failure ? "failed" : "ready";
    if (status === this.#status) return;
    this.#status = status;
    this.#onStatus(status, this.#failure?.message);
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

/** @param {unknown} error @returns {Error} it as it may be shown: with what to do */
function asProblem(error) {
  if (error instanceof BootError || error instanceof OptionError) return error;
  const message = `Python could not be started (${describe(error)}). Reload the page.`;
  return new BootError(message, error);
}
