/** The artifacts that the page wants to show: asked of Python, which gives them later. */

const NO_PYTHON = JSON.stringify({ error: "Python is not up, which has the page's artifacts." });

export class Readings {
  /** @type {Map<number, (artifact: string) => void>} */
  #waiting = new Map();
  #count = 0;

  /**
   * Have Python give an artifact of the page's own.
   *
   * @param {((reading: number, ref: string) => void) | undefined} ask Python, where it is up
   * @param {string} ref
   * @returns {Promise<string>} JSON text, as `opened` takes it
   */
  read(ask, ref) {
    return new Promise((resolve) => {
      if (!ask) return resolve(NO_PYTHON);
      this.#count += 1;
      this.#waiting.set(this.#count, resolve);
      ask(this.#count, ref);
    });
  }

  /** @param {number} reading @param {string} artifact JSON text */
  done(reading, artifact) {
    this.#waiting.get(reading)?.(artifact);
    this.#waiting.delete(reading);
  }

  /** Python has died, and what it had in memory with it. */
  endAll() {
    for (const reading of [...this.#waiting.keys()]) this.done(reading, NO_PYTHON);
  }
}
