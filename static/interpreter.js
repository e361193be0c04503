/** The page's one Python: booted by the first start, or given by the page, and told to the border until it dies. */
import { hearOfDeath, joinPython } from "./attaching.js";
import { bootPython } from "./boot.js";
import { Crossing } from "./crossing.js";
import { absolute, BootError } from "./fetching.js";
import { installLateStdlib } from "./late-stdlib.js";
import { watchPlace } from "./navigation.js";
import { OptionError } from "./options.js";
import { packageInstaller } from "./packages.js";
import { asProblem } from "./readiness.js";
import { describe } from "./wire.js";

/** @typedef {import("./options.js").PythonOptions & {snapshot?: import("./boot.js").SnapshotMode}} BootOptions */

const HAS_PYTHON =
  "webtools.attach: this page's tools have a Python already, which an app has started. Attach before it is started, or " +
  'let it wait: data-boot="attach".';

export class Interpreter {
  #border;
  #runtime;
  #context;
  #onDeath;
  /** Whether the boot failed; a start that joins it shares its end, a later one tries again. */
  #isBootSpoiled = false;
  /** @type {Promise<void> | undefined} */
  #boot;
  /** @type {(() => void) | undefined} */
  #unwatchPlace;
  /** Fetches what an app imports and Python has not yet. @type {(app: import("./sources.js").App) => Promise<void>} */
  #prepare = async () => {};
  /** Installs the packages that an app names. @type {(packages: string) => Promise<void>} */
  #install = async () => {};
  /** Why Python died, once it has. @type {Error | undefined} */
  #death;

  /**
   * @param {object} options
   * @param {import("./border.js").Border} options.border
   * @param {string} options.runtime base URL of the default runtime, ends with "/"
   * @param {import("./context.js").PageContext} options.context
   * @param {(error: unknown) => void} options.onDeath told when Python has died, perhaps more than once
   */
  constructor({ border, runtime, context, onDeath }) {
    this.#border = border;
    this.#runtime = runtime;
    this.#context = context;
    this.#onDeath = onDeath;
  }

  /** Whether it may come up. */
  get mayCome() {
    return !this.#death && !this.#isBootSpoiled;
  }

  /** @throws {Error} it has died, or was asked for already: the page cannot give its own */
  checkFree() {
    if (this.#death) throw this.#death;
    if (this.#boot) throw new OptionError(HAS_PYTHON);
  }

  /** @param {BootOptions} options which count where it was not asked for before */
  boot(options) {
    return (this.#boot ??= this.#startPython(options));
  }

  /**
   * Have it be the page's own; see `checkFree`.
   *
   * @param {unknown} given Pyodide, or a promise of it
   * @param {import("./options.js").AttachOptions} options
   */
  attach(given, options) {
    return (this.#boot = this.#startPython(options, { given }));
  }

  /** Where it did not come up, the next start boots anew. */
  forgetFailure() {
    if (this.#isBootSpoiled) this.#boot = undefined;
    this.#isBootSpoiled = false;
  }

  /**
   * Load an app, and before it what it needs.
   *
   * @param {string} url
   * @param {Promise<import("./sources.js").App>} app
   * @param {string} packages that it names
   */
  async load(url, app, packages) {
    try {
      await this.#install(packages);
      await this.#prepare(await app);
      const problem = this.#border.load(url, await app);
      if (this.#death) throw this.#death;
      if (problem) throw new BootError(problem.message, problem.traceback);
    } catch (error) {
      this.#border.python?.giveUp(url, asProblem(error).message); // what it has promised goes
      throw error;
    }
  }

  /** It is dead; harmless twice. @param {unknown} error @returns {Error | undefined} it as it may be shown, once */
  die(error) {
    if (this.#death) return undefined; // it is known
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
    return death;
  }

  /** Tell where the page is, now and whenever it has moved. */
  watchPlace() {
    this.#unwatchPlace ??= watchPlace(window, (place) => this.#border.moved(place));
    this.#border.moved(window.location);
  }

  /**
   * @param {BootOptions} options
   * @param {{given: unknown}} [attached] the page's own Python; default: it is made
   */
  async #startPython(
    { runtime, snapshot, polyfill, artifacts = "memory", debug = false },
    attached,
  ) {
    const border = this.#border;
    try {
      const base = runtime ? absolute(runtime).replace(/\/?$/, "/") : this.#runtime;
      border.expectPython();
      const [{ pyodide, runtime: found }] = await Promise.all([
        attached ? joinPython(attached.given, base) : bootPython(base, snapshot),
        this.#context.find(polyfill),
      ]);
      const crossing = pyodide.pyimport("webtools.browser.crossing");
      border.attach(new Crossing(border.port).start(crossing, debug, artifacts));
      // what the page's own code defines is held, too; a Python of ours is there for tools alone, and its log ours to tell
      if (attached) border.python?.follow();
      else {
        this.#prepare = installLateStdlib(pyodide, found);
        border.python?.keepLog();
      }
      this.#install = packageInstaller(pyodide, this.#prepare);
      this.watchPlace();
      // a death in a turn of Python's own event loop passes through no call of ours
      hearOfDeath(pyodide, (error) => this.#onDeath(error));
    } catch (error) {
      this.#isBootSpoiled = true;
      this.#unwatchPlace?.();
      this.#unwatchPlace = undefined;
      const problem = asProblem(error);
      border.goOnAlone(problem.message);
      throw problem;
    }
  }
}
