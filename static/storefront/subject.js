/**
 * A value that changes, for whoever listens: what `useSyncExternalStore` reads.
 *
 * @template Value
 * @param {Value} value
 */
export function createSubject(value) {
  /** @type {Set<() => void>} */
  const listeners = new Set();

  return {
    getSnapshot: () => value,

    /** @param {() => void} listener @returns {() => void} the inverse */
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** @param {Value} next */
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
