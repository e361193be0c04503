/** The Python that a page gives: one, once. */
import { OptionError } from "./options.js";

export class Attachment {
  /** @type {{given: unknown, done: Promise<void>} | undefined} */
  #current;
  #arrived = () => {};
  /** Settles when the page gives one; after a failure it is another promise. */
  arriving = this.#untilGiven();

  /**
   * @param {unknown} given Pyodide, or a promise of it
   * @param {() => Promise<void>} begin is called where it is the first one, or the one before failed
   * @returns {Promise<void>} the same for the same; rejects where another one is there
   */
  take(given, begin) {
    const before = this.#current;
    if (before) return given === before.given ? before.done : sameAs(before, given);
    const done = begin().catch((error) => {
      this.#current = undefined;
      this.arriving = this.#untilGiven();
      throw error;
    });
    done.catch(() => {}); // it is told already
    this.#current = { given, done };
    return done;
  }

  /** It is given: what waits for it may go on. */
  arrive() {
    this.#arrived();
  }

  /** @returns {Promise<void>} */
  #untilGiven() {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }
}

/**
 * @param {{given: unknown, done: Promise<void>}} before
 * @param {unknown} given
 */
async function sameAs(before, given) {
  const [one, other] = await Promise.all([before.given, given]);
  if (one === other) return before.done;
  throw new OptionError("webtools.attach: another Python is attached already, and a page has one.");
}
