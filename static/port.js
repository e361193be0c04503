/**
 * What Python calls in the page: `webtools/browser/border.py`. Functions without a `this`, of text and numbers, in one
 * object: those of tools and their calls are here, and beside them those of `services.js`.
 */

/** @typedef {ReturnType<typeof portOf>} Port */

/**
 * @param {object} page
 * @param {import("./registrations.js").Registrations} page.registrations
 * @param {import("./calls.js").Calls} page.calls
 * @param {import("./inner.js").InnerCalls} page.inner
 * @param {import("./pointing.js").Pointing} page.pointing
 * @param {import("./route-change.js").RouteChanges} page.routes
 * @param {import("./border.js").Listeners} page.listeners
 * @param {(slot: import("./observed.js").Slot) => void} page.onSlot told what an observer is to be told of a tool
 * @param {import("./services.js").Services} services
 */
export function portOf(
  { registrations, calls, inner, pointing, routes, listeners, onSlot },
  services,
) {
  return {
    ...services,

    register: (/** @type {number} */ registration, /** @type {string} */ text) =>
      registrations.register(registration, text),

    unregister: (/** @type {number} */ registration) => registrations.unregister(registration),

    settle: (/** @type {string} */ callId, /** @type {string} */ answer) =>
      calls.settle(callId, JSON.parse(answer)),

    innerCall: (
      /** @type {string} */ tool,
      /** @type {string} */ callId,
      /** @type {string | undefined} */ answer,
    ) => {
      if (answer === undefined) inner.begin(tool, callId);
      else inner.end(callId, JSON.parse(answer));
    },

    callProgress: (
      /** @type {string} */ tool,
      /** @type {string} */ callId,
      /** @type {string} */ report,
    ) => listeners.onCallProgress(tool, callId, JSON.parse(report)),

    showCall: (
      /** @type {number} */ number,
      /** @type {string} */ callId,
      /** @type {string} */ text,
    ) => {
      const shown = pointing.show(callId, JSON.parse(text));
      shown?.then(() => services.answer(number, "null"));
      return shown === undefined;
    },

    toolState: (
      /** @type {string} */ name,
      /** @type {string} */ state,
      /** @type {string | undefined} */ reason,
    ) => listeners.onState(name, state, reason),

    observed: (/** @type {string} */ slot) => onSlot(JSON.parse(slot)),

    routeBegan: () => {
      routes.leave();
      calls.look();
    },

    teardown: (/** @type {string} */ text) => listeners.onTeardown(JSON.parse(text)),
  };
}
