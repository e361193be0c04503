/** The inspector, as far as every page has it: what has happened is kept, and the rest is loaded when it is wanted. */
import { attempt } from "./fetching.js";
import { checkInspector } from "./options.js";
import { describe } from "./wire.js";

/** @typedef {"open" | "key"} InspectorMode */

export class Inspecting {
  #host;
  #border;
  /** @type {InspectorMode | undefined} */
  #mode;
  /** @type {Promise<import("./inspector.js").Inspector> | undefined} */
  #inspector;

  /**
   * @param {import("./host.js").Host} host
   * @param {import("./border.js").Border} border
   */
  constructor(host, border) {
    this.#host = host;
    this.#border = border;
  }

  /**
   * The page wants it: what happens is noted from now on. The first wish counts.
   *
   * @param {unknown} mode as a page has it: shown at once, or when the person presses the key
   * @param {(problem: string) => void} [onProblem] told what is wrong with it
   */
  begin(mode, onProblem = () => {}) {
    try {
      checkInspector(mode);
      this.#begin(/** @type {InspectorMode | undefined} */ (mode));
    } catch (error) {
      onProblem(/** @type {TypeError} */ (error).message);
    }
  }

  /** @returns {Promise<void>} settles when it is shown */
  async open() {
    (await this.#load()).open();
  }

  /** @param {InspectorMode | undefined} mode */
  #begin(mode) {
    if (mode === undefined || this.#mode !== undefined) return;
    this.#mode = mode;
    /** @type {import("./inspector-log.js").Noted[]} */
    const seen = [];
    if (!this.#inspector) this.#border.observe((event) => seen.push([performance.now(), event]));
    this.#load().then(
      (inspector) => inspector.begin(mode, seen),
      (error) => {
        this.#border.observe(undefined);
        console.error(`webtools: the inspector cannot be loaded (${describe(error)}).`);
      },
    );
  }

  #load() {
    return (this.#inspector ??= attempt("inspector.js", () => import("./inspector.js"))
      .then(({ Inspector }) => new Inspector(this.#host, this.#border))
      .catch((error) => {
        this.#inspector = undefined; // the next one tries again
        throw error;
      }));
  }
}
