/**
 * What the bridge has in each document: `tabs.py` has the browser evaluate this, and keeps what it gives. It leaves nothing
 * in the page, and works with any page that has a model context, whoever made that.
 */
(/** @type {{isSeen: boolean}} */ { isSeen }) => {
  /** How long the tools must not change after a call, as `webtools.settled()` has it, */
  const QUIET_MS = 150;
  /** and the longest to wait however much changes. */
  const CAP_MS = 2000;
  /** Changes within this time are told together. */
  const TOGETHER_MS = 50;
  /** How long a page may load, and an app that starts with it, before the tools are told as they are. */
  const START_MS = 18_000;
  /** How long a page that has no tools is given to have the first one: frameworks often begin after it is loaded. */
  const FIRST_MS = 3000;
  /** How often to look for what no event tells of: a polyfill, and the library. */
  const LOOK_MS = 100;

  /** @type {object[]} */
  const told = [];
  let wake = () => {};
  /** @param {object} event */
  const tell = (event) => {
    told.push(event);
    wake();
  };
  const sleep = (/** @type {number} */ ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });

  // The tools.

  /** @type {WebMCP.ModelContext | undefined} */
  let context;
  /** The page's `window.webtools`, where it has the library. @type {any} */
  let library;
  let changedAt = 0;
  let isToList = false;
  /** The lists are told in their order. */
  let listing = Promise.resolve();

  /** The page's, which a polyfill may replace at any time. */
  const current = () => {
    const found = document.modelContext;
    if (found !== context) {
      context?.removeEventListener("toolchange", change);
      context = found;
      context?.addEventListener("toolchange", change);
      change();
    }
    return context;
  };
  const list = () => {
    listing = listing.then(async () => {
      isToList = false;
      const tools = (await current()?.getTools()) ?? [];
      tell({ kind: "tools", tools: tools.map(described) });
    });
    listing = listing.catch(() => {}); // a page that cannot list has nothing to tell
    return listing;
  };
  const change = () => {
    changedAt = performance.now();
    if (isToList) return;
    isToList = true;
    setTimeout(list, TOGETHER_MS);
  };
  const quiet = async () => {
    const cap = performance.now() + CAP_MS;
    changedAt = performance.now();
    while (performance.now() < Math.min(cap, changedAt + QUIET_MS)) await sleep(QUIET_MS / 6);
  };
  /** @param {WebMCP.RegisteredTool} tool */
  const described = ({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema: typeof inputSchema === "string" ? JSON.parse(inputSchema) : inputSchema,
    // the browser's are no plain object
    annotations: annotations && {
      readOnlyHint: annotations.readOnlyHint,
      untrustedContentHint: annotations.untrustedContentHint,
    },
  });

  // The calls.

  /** @type {Map<number, AbortController>} */
  const calls = new Map();
  /** Of each tool, our calls whose start the library has not told yet. @type {Map<string, number[]>} */
  const starting = new Map();
  /** Our calls by the library's ids. @type {Map<string, number>} */
  const ours = new Map();

  const onStart = (/** @type {CustomEvent} */ { detail: { tool, callId } }) => {
    const call = starting.get(tool)?.shift();
    if (call !== undefined) ours.set(callId, call);
  };
  const onProgress = (/** @type {CustomEvent} */ { detail: { callId, message, done, total } }) => {
    const call = ours.get(callId);
    if (call !== undefined) tell({ kind: "progress", call, message, done, total });
  };
  const onEnd = (/** @type {CustomEvent} */ { detail: { callId } }) => ours.delete(callId);

  /** Chromium up to 154 takes text. @param {string} text */
  const inputOf = (text) => {
    const input = JSON.parse(text);
    if (Object.hasOwn(input, "toString")) return input;
    return Object.defineProperty(input, "toString", { value: () => text });
  };
  /**
   * @param {number} call
   * @param {string} name
   * @param {string} text the input
   * @param {AbortSignal} signal
   */
  const outcome = async (call, name, text, signal) => {
    meet();
    const page = context;
    const tool = (await page?.getTools())?.find((each) => each.name === name);
    if (!page || !tool) return { isMissing: true };
    const waiting = starting.get(name) ?? [];
    starting.set(name, [...waiting, call]);
    try {
      const answer = await page.executeTool(tool, inputOf(text), { signal });
      if (!tool.annotations?.readOnlyHint) await quiet();
      await list();
      return { text: answer };
    } catch (error) {
      const { name: kind, message } = /** @type {Error} */ (Object(error));
      return { error: `${kind}: ${message}` };
    } finally {
      starting.set(name, starting.get(name)?.filter((each) => each !== call) ?? []);
    }
  };

  // What tells nobody that it comes.

  /** Why an app has failed, whenever that is another reason. @type {string | undefined} */
  let failure;
  const tellFailure = () => {
    if (library.status === "loading") return;
    const apps = /** @type {{reason?: string}[]} */ (library.apps());
    const reason = apps.find((each) => each.reason)?.reason;
    if (reason === failure) return;
    failure = reason;
    tell({ kind: "app", reason });
  };
  const refuse = () => {
    const said = "nobody can see this page: its browser has no window";
    throw new Error(said, { cause: "headless" });
  };
  const meet = () => {
    current();
    const { webtools } = /** @type {any} */ (window);
    if (library || !webtools) return;
    library = webtools;
    library.addEventListener("callstart", onStart);
    library.addEventListener("callprogress", onProgress);
    library.addEventListener("callend", onEnd);
    library.addEventListener("status", tellFailure);
    tellFailure();
    if (!isSeen) library.confirmWith(refuse);
  };
  const look = () => {
    meet();
    setTimeout(look, document.readyState === "complete" ? 10 * LOOK_MS : LOOK_MS);
  };
  const loaded = async () => {
    while (document.readyState !== "complete") await sleep(LOOK_MS);
  };
  /** Apps that the page starts by itself, and not with the first call. */
  const started = async () => {
    meet();
    if (!document.querySelector('script[data-app]:not([data-boot="call"])')) return;
    await library?.ready.catch(() => {});
  };
  const first = async () => {
    const end = performance.now() + FIRST_MS;
    while (performance.now() < end && !(await current()?.getTools())?.length) await sleep(LOOK_MS);
  };

  return {
    /** Tell of the tools from now on; "settled" once they are as the page has them when it is up. */
    async begin() {
      look();
      await Promise.race([loaded().then(started), sleep(START_MS)]);
      await first();
      await quiet();
      await list();
      tell({ kind: "settled" });
    },

    /** What has happened since, as JSON text. */
    async next() {
      while (told.length === 0) {
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
      }
      return JSON.stringify(told.splice(0));
    },

    /**
     * Call a tool; its answer is told.
     *
     * @param {number} call
     * @param {string} name
     * @param {string} text the input
     */
    async start(call, name, text) {
      const controller = new AbortController();
      calls.set(call, controller);
      const answer = await outcome(call, name, text, controller.signal);
      calls.delete(call);
      tell({ kind: "answer", call, ...answer });
    },

    /** Give a call up; harmless when it has its answer. @param {number} call */
    abort(call) {
      calls.get(call)?.abort();
    },
  };
};
