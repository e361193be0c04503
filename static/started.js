/** What has become of the page's apps, for whoever shows it or loads one anew. */

/**
 * @typedef {object} StartedApp
 * @property {string} app its URL; as it was given where it is none
 * @property {"loading" | "ready" | "failed"} status of its newest start
 * @property {string} [reason] why that failed. Where a start before it did not, that one's tools are still there
 * @property {string} [manifest] what it defines, as a manifest: of the newest start that did not fail
 * @property {import("./options.js").StartOptions} options of its newest start
 */

export class Started {
  /** @type {Map<string, StartedApp>} */
  #apps = new Map();

  /**
   * A start has been asked for.
   *
   * @param {string} app
   * @param {import("./options.js").StartOptions} options
   */
  begin(app, options) {
    const { manifest } = this.#apps.get(app) ?? {};
    this.#set({ app, status: "loading", manifest, options });
  }

  /**
   * Its tools are there.
   *
   * @param {string} app
   * @param {string | undefined} manifest
   */
  succeed(app, manifest) {
    const { options } = /** @type {StartedApp} */ (this.#apps.get(app));
    this.#set({ app, status: "ready", manifest, options });
  }

  /** @param {string} app @param {string} reason */
  fail(app, reason) {
    const { options, manifest } = /** @type {StartedApp} */ (this.#apps.get(app));
    this.#set({ app, status: "failed", reason, manifest, options });
  }

  /** Each once, in the order in which they were first started. @returns {StartedApp[]} */
  list() {
    return [...this.#apps.values()].map((each) => ({ ...each }));
  }

  /** @param {StartedApp} started */
  #set({ manifest, ...rest }) {
    this.#apps.set(rest.app, { ...rest, ...(manifest !== undefined && { manifest }) });
  }
}
