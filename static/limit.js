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
