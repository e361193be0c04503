/**
 * Where a person is asked for the number of their gift card. The number goes to whoever asked, and is kept nowhere.
 *
 * @typedef {{answer: (number: string | null) => void}} CardQuestion
 * @typedef {ReturnType<typeof createCardDesk>} CardDesk
 */

export function createCardDesk() {
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** @type {CardQuestion | null} */
  let question = null;

  /** @param {CardQuestion | null} next */
  function show(next) {
    question = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    getSnapshot: () => question,

    /** @param {() => void} listener @returns {() => void} the inverse */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /**
     * @param {AbortSignal} signal takes the question back
     * @returns {Promise<string | null>} null where the person has not given one, or is being asked already
     */
    ask(signal) {
      if (question || signal.aborted) return Promise.resolve(null);
      return new Promise((resolve) => {
        /** @param {string | null} number */
        function answer(number) {
          signal.removeEventListener("abort", withdraw);
          show(null);
          resolve(number);
        }
        const withdraw = () => answer(null);
        signal.addEventListener("abort", withdraw);
        show({ answer });
      });
    },
  };
}
