import { createSubject } from "./subject.js";

/**
 * Which model the assistant asks. The address and the name outlive a reload of this tab; a key is in no snapshot and in
 * no storage, only in this closure, and goes to Python with each wish.
 *
 * @typedef {import("./storage.js").TextStorage} TextStorage
 * @typedef {{url: string, name: string}} Endpoint
 * @typedef {{endpoint: Endpoint | null, hasKey: boolean}} ChoiceSnapshot without an endpoint the scripted planner replies
 * @typedef {ReturnType<typeof createModelChoice>} ModelChoice
 */

export const MODEL_KEY = "pocket-harbour.model";

/** @param {TextStorage | null} storage @returns {Endpoint | null} */
function read(storage) {
  try {
    const { url, name } = JSON.parse(storage?.getItem(MODEL_KEY) ?? "null") ?? {};
    return typeof url === "string" && typeof name === "string" ? { url, name } : null;
  } catch {
    return null; // not ours, or storage is forbidden
  }
}

/** @param {TextStorage | null} storage of this tab */
export function createModelChoice(storage) {
  const { getSnapshot, subscribe, set } = createSubject(
    /** @type {ChoiceSnapshot} */ ({ endpoint: read(storage), hasKey: false }),
  );
  /** @type {string | null} */
  let key = null;

  return {
    getSnapshot,
    subscribe,

    /** @param {Endpoint | null} endpoint null: the scripted planner @param {string} [typed] the key; none keeps no key */
    choose(endpoint, typed = "") {
      key = (endpoint && typed.trim()) || null;
      try {
        storage?.setItem(MODEL_KEY, JSON.stringify(endpoint));
      } catch {
        // It holds until the page is left.
      }
      set({ endpoint, hasKey: key !== null });
    },

    /** @returns {(Endpoint & {key: string | null}) | null} for Python alone */
    withKey() {
      const { endpoint } = getSnapshot();
      return endpoint && { ...endpoint, key };
    },
  };
}
