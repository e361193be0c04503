/**
 * A page's end of `webtools serve`: it takes changed files, and tells the terminal of its tools and problems. The dev
 * server adds it to `webtools.js`; a page that was built has nothing of it.
 *
 * A poke says that something has changed, and each page then asks what has since it was served. So a page that slept, or
 * came late, catches up by the same way. One tab hears the pokes for all, since a browser keeps six connections for a
 * server, whatever the number of its tabs.
 */

/** @typedef {import("../../../static/host.js").Host} Host */
/** @typedef {import("../../../static/started.js").StartedApp} StartedApp */

/**
 * How an app's tools have changed, by their names.
 *
 * @typedef {object} Difference
 * @property {string} file
 * @property {string[]} kept
 * @property {string[]} changed
 * @property {string[]} added
 * @property {string[]} gone
 */

/** @typedef {{revision: string, files: string[] | null}} Changes files of the folder; null: the server is another one */

const NAME = "webtools.live";

/** How long a reload of the page waits for calls in flight. */
const CALLS_MS = 10_000;

/** Characters of a reason that the terminal is told. */
const MAX_REASON = 1_000;

/** @param {Host} webtools @param {string} revision what was served */
export function follow(webtools, revision) {
  const page = new LivePage(webtools, revision);
  page.begin();
  /** @type {AbortController} */
  let hearing;
  const begin = () => {
    hearing = new AbortController();
    hear(hearing.signal, () => page.catchUp());
  };
  begin();
  // the page may come back from the back-forward cache, which takes none that has a lock
  window.addEventListener("pagehide", () => hearing.abort());
  window.addEventListener("pageshow", ({ persisted }) => persisted && begin());
}

/** One page, and what it was served of the folder. */
export class LivePage {
  #webtools;
  #revision;
  /** Ends with what was asked for before, so that changes are taken in their order. */
  #queue = Promise.resolve();
  #isWaiting = false;
  /** Apps that are started anew by us, whose end is told with what has changed. */
  #restarting = 0;

  /** @param {Host} webtools @param {string} revision */
  constructor(webtools, revision) {
    this.#webtools = webtools;
    this.#revision = revision;
  }

  /** Tell of the page's tools, and of what fails from now on. */
  begin() {
    this.#tell("start");
    this.#webtools.addEventListener("status", () => {
      if (this.#webtools.status === "loading" || this.#restarting > 0) return;
      this.#tell("start");
      this.catchUp(); // with what was left until now
    });
    this.#webtools.addEventListener("toolstate", (event) => {
      const { state } = /** @type {CustomEvent} */ (event).detail;
      if (state === "failed" && this.#restarting === 0) this.#tell("problem");
    });
  }

  /** Take what has changed, one after another; pokes that come meanwhile are one. */
  catchUp() {
    if (this.#isWaiting) return this.#queue;
    this.#isWaiting = true;
    this.#queue = this.#queue.then(async () => {
      this.#isWaiting = false;
      await this.#take().catch(() => {}); // the server has gone; the next poke tells that it is back
    });
    return this.#queue;
  }

  async #take() {
    const response = await fetch(at(`changes?since=${this.#revision}`));
    if (!response.ok) return;
    const { revision, files } = /** @type {Changes} */ (await response.json());
    if (files === null) return this.#reload();
    const changed = this.#webtools.apps().filter(({ app }) => files.includes(fileOf(app)));
    const others = files.filter((file) => !changed.some(({ app }) => fileOf(app) === file));
    if (others.some((file) => !file.endsWith(".py"))) return this.#reload(); // one of Python is another page's app
    if (changed.some(({ status }) => status === "loading")) return; // it may wait for its first call
    this.#revision = revision;
    const differences = [];
    for (const each of changed) differences.push(await this.#restart(each));
    if (changed.length > 0) this.#tell("change", differences.flat());
  }

  /** @param {StartedApp} before @returns {Promise<Difference[]>} none where it has failed, which the console was told */
  async #restart({ app, options, manifest }) {
    this.#restarting += 1;
    try {
      await this.#webtools.start({ ...options, manifest: undefined }); // that is of what there was before
    } catch {
      return [];
    } finally {
      this.#restarting -= 1;
    }
    const after = this.#webtools.apps().find((each) => each.app === app)?.manifest;
    return [{ file: fileOf(app), ...difference(manifest, after) }];
  }

  async #reload() {
    await untilIdle(this.#webtools);
    window.location.reload();
    await new Promise(() => {}); // nothing else is taken
  }

  /** @param {"start" | "change" | "problem"} what @param {Difference[]} [differences] */
  #tell(what, differences = []) {
    const apps = this.#webtools
      .apps()
      .filter(({ status }) => status !== "loading")
      .map(({ app, reason }) => ({ app: fileOf(app), ...shortened(reason) }));
    const tools = this.#webtools
      .tools()
      .map(({ name, state, reason }) => ({ name, state, ...shortened(reason) }));
    if (apps.length === 0 && tools.length === 0) return;
    const page = window.location.pathname;
    const told = { what, page, revision: this.#revision, apps, tools, differences };
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify(told);
    fetch(at("told"), { method: "POST", headers, body }).catch(() => {}); // the server has gone
  }
}

/** @param {string | undefined} reason */
function shortened(reason) {
  return reason === undefined ? {} : { reason: reason.slice(0, MAX_REASON) };
}

/** @param {string} app its URL @returns {string} what it is called in the folder; elsewhere, the URL */
export function fileOf(app) {
  if (!URL.canParse(app)) return app;
  const { origin, pathname } = new URL(app);
  return origin === window.location.origin ? decodeURIComponent(pathname).slice(1) : app;
}

/**
 * Compare two manifests of an app.
 *
 * @param {string | undefined} before
 * @param {string | undefined} after
 * @returns {Omit<Difference, "file">}
 */
export function difference(before, after) {
  const old = entriesOf(before);
  const now = entriesOf(after);
  const names = [...now.keys()];
  return {
    kept: names.filter((name) => old.get(name) === now.get(name)),
    changed: names.filter((name) => old.has(name) && old.get(name) !== now.get(name)),
    added: names.filter((name) => !old.has(name)),
    gone: [...old.keys()].filter((name) => !now.has(name)),
  };
}

/** @param {string | undefined} manifest @returns {Map<string, string>} what a tool is, by its name */
function entriesOf(manifest) {
  const { tools } = manifest === undefined ? { tools: [] } : JSON.parse(manifest);
  return new Map(
    tools.map((/** @type {{definition: string}} */ tool) => [
      JSON.parse(tool.definition).name,
      JSON.stringify(tool),
    ]),
  );
}

/** @param {Host} webtools @returns {Promise<void>} settles when no call is in flight, or after a while */
function untilIdle(webtools) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CALLS_MS);
    const look = () => {
      if (webtools.tools().some(({ inFlight }) => inFlight > 0)) return;
      clearTimeout(timer);
      webtools.removeEventListener("callend", look);
      resolve();
    };
    webtools.addEventListener("callend", look);
    look();
  });
}

/**
 * Hear pokes, now and until the signal: the tab that has the lock from the server, the others from that tab. Where a page
 * may have no lock (it is no secure context), it hears the server itself.
 *
 * @param {AbortSignal} signal
 * @param {() => void} onPoke
 */
function hear(signal, onPoke) {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = onPoke;
  signal.addEventListener("abort", () => channel.close());
  const fromServer = () => hearServer(signal, () => (channel.postMessage(null), onPoke()));
  if (!navigator.locks) fromServer();
  else navigator.locks.request(NAME, { signal }, fromServer).catch(() => {}); // the page is left
  onPoke();
}

/**
 * @param {AbortSignal} signal
 * @param {() => void} onPoke
 * @returns {Promise<void>} settles when it is over
 */
function hearServer(signal, onPoke) {
  const source = new EventSource(at("events"));
  source.onmessage = onPoke;
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      source.close();
      resolve();
    });
  });
}

/** @param {string} path @returns {string} an address of the dev server, whatever `<base>` the page has */
function at(path) {
  return `${window.location.origin}/webtools/live/${path}`;
}
