/** The longest that `setTimeout` can wait, 24.8 days; above it fires at once. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/** A limit of time that can stand still. */
export class Countdown {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #since = 0;
  #leftMs;
  #onOver;

  /** @param {number} ms @param {() => void} onOver */
  constructor(ms, onOver) {
    this.#leftMs = ms;
    this.#onOver = onOver;
  }

  /** Go on. */
  start() {
    this.stop();
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onOver, this.#leftMs);
  }

  /** Stand still. */
  stop() {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }
}

/**
 * Wait for a promise, but not for ever.
 *
 * @template T
 * @param {Promise<T>} waited what it settles with later is dropped
 * @param {number} ms
 * @param {() => T} late gives what to go on with when the time has passed, or throws
 * @returns {Promise<T>}
 */
export function withLimit(waited, ms, late) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    waited.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
