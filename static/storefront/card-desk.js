import { createSubject } from "./subject.js";

/**
 * Where a person is asked for the number of their gift card. The number goes to whoever asked, and is kept nowhere.
 *
 * @typedef {{answer: (number: string | null) => void}} CardQuestion
 * @typedef {ReturnType<typeof createCardDesk>} CardDesk
 */

export function createCardDesk() {
  const { getSnapshot, subscribe, set } = createSubject(/** @type {CardQuestion | null} */ (null));

  return {
    getSnapshot,
    subscribe,

    /**
     * @param {AbortSignal} signal takes the question back
     * @returns {Promise<string | null>} null where the person has not given one, or is being asked already
     */
    ask(signal) {
      if (getSnapshot() || signal.aborted) return Promise.resolve(null);
      return new Promise((resolve) => {
        /** @param {string | null} number */
        function answer(number) {
          signal.removeEventListener("abort", withdraw);
          set(null);
          resolve(number);
        }
        const withdraw = () => answer(null);
        signal.addEventListener("abort", withdraw);
        set({ answer });
      });
    },
  };
}
