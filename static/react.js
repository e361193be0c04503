/**
 * A React hook for tools that come and go with components: `const { useWebTool } = bindReact(React)`.
 *
 * It uses the page's own React, and the page's own webtools as soon as that is there. Importing this module and
 * rendering on a server touch no window.
 */

import { definitionText, parametersOf } from "./definitions.js";
import { knownOptions } from "./known.js";
import { checkPlace } from "./places.js";
import { leastOf } from "./statuses.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./handlers.js").Handler} Handler */
/** @typedef {import("./statuses.js").HoldStatus} HoldStatus */
/** @typedef {import("./host.js").Host} Webtools */

/**
 * What of React is used.
 *
 * @typedef {Pick<typeof import("react"), "useEffect" | "useInsertionEffect" | "useMemo" | "useRef" | "useState" |
 *   "useSyncExternalStore">} Hooks
 */

/** @typedef {string | [ToolDefinition, Handler]} Item */

/**
 * @typedef {object} Options
 * @property {boolean} [enabled] whether the tools are held; default: true
 * @property {Handler} [execute] of the one definition; each call runs the newest, and another one changes nothing for
 *   the agent
 * @property {string} [resourceId] the resource that the tools work on; calls that began for another one are stale
 * @property {import("./places.js").Target} [target] what the cursor points at while a call runs, such as
 *   `() => ref.current`; each call uses the newest
 * @property {Record<string, import("./places.js").Target>} [fields] of definitions: arguments, and the controls that show
 *   their values
 * @property {boolean} [perInstance] whether calls that began under another component are stale; those of a tool whose
 *   `execute` the component supplies always are
 */

/**
 * @typedef {object} Result
 * @property {HoldStatus} status of several tools the one that wants attention most
 * @property {number} inFlight calls that have begun and not settled
 * @property {Answer | null} lastResult what the agent got last while the component was there
 * @property {{code: string, message: string} | null} error of the last call, or of a failed registration
 */

/**
 * @typedef {object} Tool one that a component wants
 * @property {string} name
 * @property {string} text what the agent sees of it; for a tool of Python's its name
 * @property {ToolDefinition} [definition] where JavaScript defines it
 * @property {Handler} [execute]
 */

/** @typedef {Pick<Options, "target" | "fields">} Place */

/**
 * @typedef {object} HoldOptions
 * @property {Place} place
 * @property {string | undefined} resourceId
 * @property {object} owner
 * @property {boolean} perInstance
 */

const OPTIONS = ["enabled", "execute", "resourceId", "target", "fields", "perInstance"];

/** After these a result may be another. */
const EVENTS = ["status", "toolstate", "callstart", "callend"];

/** @typedef {{state: HoldStatus, reason?: string, inFlight: number}} Known */

/** @type {Known} */
const ABSENT = { state: "unknown", inFlight: 0 };

/** @type {Result} */
const NOTHING = Object.freeze({ status: "unknown", inFlight: 0, lastResult: null, error: null });

/**
 * Beside this module, where it is served as it is. Not written inside `import()`, since bundlers would then put a
 * second webtools into the page.
 */
const ENTRY = "./webtools.js";

/** A script tag that loads it. */
const TAG = 'script[src*="webtools.js"]';

/**
 * Make the hook for the page's React, version 18 or newer.
 *
 * @param {Hooks} React
 */
export function bindReact(React) {
  const { useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } =
    React ?? {};
  if (!useInsertionEffect) {
    throw new TypeError("bindReact: give it the page's React, version 18 or newer.");
  }

  /**
   * Hold tools while the component is there.
   *
   * @param {string | ToolDefinition | Item[]} wanted name of a tool that Python defines; or a definition, whose handler
   *   is the option `execute`; or a list of names and pairs `[definition, execute]`, which come and go together
   * @param {Options} [options]
   * @returns {Result}
   */
  function useWebTool(wanted, options) {
    const known = knownOptions("useWebTool", options, OPTIONS);
    const { enabled = true, resourceId, target, fields, perInstance = false } = known;
    const tools = readWanted(wanted, known);

    // StrictMode's remount keeps a state; another component in the same place has its own
    const [owner] = useState(() => new ReactComponent());
    const newest = useRef({ tools, target, fields });
    useInsertionEffect(() => {
      newest.current = { tools, target, fields };
    });

    const names = JSON.stringify(tools.map(({ name }) => name));
    const watch = useMemo(() => new Watch(JSON.parse(names)), [names]);
    const result = useSyncExternalStore(watch.subscribe, watch.getResult, () => NOTHING);

    const shown = [target !== undefined, Object.keys(fields ?? {})];
    const wish = JSON.stringify([tools.map(({ text }) => text), resourceId, shown, perInstance]);
    useEffect(() => {
      if (!enabled) return undefined;
      const find = (/** @type {string} */ name) =>
        newest.current.tools.find((tool) => tool.name === name);
      const place = placeOf({ target, fields }, () => newest.current);
      return withWebtools((webtools) =>
        holdTools(webtools, tools, find, { place, resourceId, owner, perInstance }),
      );
    }, [enabled, wish]);

    return result;
  }

  return { useWebTool };
}

/**
 * @param {unknown} wanted
 * @param {Options} options
 * @returns {Tool[]}
 * @throws {TypeError} for what means nothing; the text names the cure
 */
function readWanted(wanted, { execute, resourceId, target, fields }) {
  if (resourceId !== undefined && typeof resourceId !== "string") {
    throw new TypeError("useWebTool: resourceId must be a text.");
  }
  const tools = readTools(wanted, execute);
  const texts = tools.filter(({ definition }) => definition).map(({ text }) => text);
  checkPlace("useWebTool", { target, fields }, texts.length > 0 ? parametersOf(texts) : undefined);
  return tools;
}

/**
 * @param {unknown} wanted
 * @param {unknown} execute
 * @returns {Tool[]}
 */
function readTools(wanted, execute) {
  if (!Array.isArray(wanted)) return [readTool(wanted, execute)];
  if (execute !== undefined) {
    throw new TypeError(
      "useWebTool: a list has its functions in its pairs, [definition, execute].",
    );
  }
  const tools = wanted.map((item) =>
    Array.isArray(item) ? readPair(item[0], item[1]) : readTool(item, undefined),
  );
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new TypeError(`useWebTool: two tools of the list are called "${twice}".`);
  }
  return tools;
}

/**
 * @param {unknown} wanted
 * @param {unknown} execute
 * @returns {Tool}
 */
function readTool(wanted, execute) {
  if (typeof wanted !== "string" || !wanted) return readPair(wanted, execute);
  if (execute === undefined) return { name: wanted, text: wanted };
  throw new TypeError(
    `useWebTool("${wanted}"): a name is that of a tool with a function in Python. ` +
      "Leave execute out, or give a definition.",
  );
}

/**
 * @param {unknown} definition
 * @param {unknown} execute
 * @returns {Tool}
 */
function readPair(definition, execute) {
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    throw new TypeError(
      "useWebTool: give a tool's name, a definition {name, description}, or a list of names and pairs " +
        "[definition, execute].",
    );
  }
  const given = /** @type {ToolDefinition} */ (definition);
  const { name, text } = definitionText(given);
  if (typeof execute !== "function") {
    throw new TypeError(
      `useWebTool: the definition of "${name}" needs a function, in the option execute or, ` +
        "in a list, as a pair [definition, execute].",
    );
  }
  return { name, text, definition: given, execute: /** @type {Handler} */ (execute) };
}

/**
 * The places as each call finds them: what a component renders anew is no other hold.
 *
 * @param {Place} place
 * @param {() => Place} newest
 * @returns {Place}
 */
function placeOf({ target, fields }, newest) {
  const late = (/** @type {(place: Place) => any} */ choose) => (/** @type {any} */ input) => {
    const chosen = choose(newest());
    return typeof chosen === "function" ? chosen(input) : chosen;
  };
  const controls = Object.keys(fields ?? {}).map((name) => [
    name,
    late((now) => now.fields?.[name]),
  ]);
  return {
    ...(target !== undefined && { target: late((now) => now.target) }),
    ...(fields && { fields: Object.fromEntries(controls) }),
  };
}

/**
 * @param {Webtools} webtools
 * @param {Tool[]} tools
 * @param {(name: string) => Tool | undefined} find gives the newest of this name
 * @param {HoldOptions} options
 * @returns {() => void} releases them
 */
function holdTools(webtools, tools, find, { place, resourceId, owner, perInstance }) {
  /** @type {[ToolDefinition, Handler][]} */
  const pairs = [];
  /** @type {string[]} */
  const names = [];
  for (const { name, definition, execute } of tools) {
    if (definition && execute) {
      pairs.push([definition, (...call) => (find(name)?.execute ?? execute)(...call)]);
    } else {
      names.push(name);
    }
  }
  const holds = pairs.length > 0 ? [webtools.define(pairs, { resourceId, owner, ...place })] : [];
  const { fields, ...here } = place; // those of Python's tools are Python's
  for (const name of names) {
    holds.push(webtools.hold(name, { resourceId, ...here, ...(perInstance && { owner }) }));
  }
  return () => {
    for (const hold of holds) hold.release();
  };
}

/** Who holds: its name is what the inspector shows. */
class ReactComponent {}

/** What React is told of some tools. It listens while somebody subscribes. */
class Watch {
  #names;
  /** What is known of them, by name. @type {Map<string, Known>} */
  #tools = new Map();
  /** @type {Answer | null} */
  #last = null;
  #result = NOTHING;

  /** @param {string[]} names */
  constructor(names) {
    this.#names = names;
  }

  /** @returns {Result} the same object while nothing has changed */
  getResult = () => this.#result;

  /** @param {() => void} onChange */
  subscribe = (onChange) =>
    withWebtools((webtools) => {
      const listener = (/** @type {Event} */ event) => {
        const { type, detail } = /** @type {CustomEvent} */ (event);
        if (detail.tool !== undefined && !this.#names.includes(detail.tool)) return;
        if (type === "callend") this.#last = detail.answer;
        if (type === "toolstate") this.#note(detail);
        else this.#look(webtools);
        this.#update(onChange);
      };
      for (const type of EVENTS) webtools.addEventListener(type, listener);
      this.#look(webtools);
      this.#update(onChange);
      return () => {
        for (const type of EVENTS) webtools.removeEventListener(type, listener);
      };
    });

  /** @param {Webtools} webtools */
  #look(webtools) {
    this.#tools = new Map(webtools.tools().map((tool) => [tool.name, tool]));
  }

  /** Looking costs as much as the page has tools, and when it opens each tells of its states. @param {any} detail */
  #note({ tool, state, reason }) {
    const inFlight = this.#tools.get(tool)?.inFlight ?? 0;
    this.#tools.set(tool, { state, reason, inFlight });
  }

  /** @param {() => void} onChange */
  #update(onChange) {
    const tools = this.#names.map((name) => this.#tools.get(name) ?? ABSENT);
    const result = resultOf(tools, this.#last);
    if (isSame(result, this.#result)) return;
    this.#result = result;
    onChange();
  }
}

/**
 * @param {Known[]} tools
 * @param {Answer | null} last
 * @returns {Result}
 */
function resultOf(tools, last) {
  const failed = tools.find(({ state }) => state === "failed");
  const error = last?.isError ? (last.structuredContent?.error ?? null) : null;
  return {
    status: leastOf(tools.map(({ state }) => state)),
    inFlight: tools.reduce((sum, { inFlight }) => sum + inFlight, 0),
    lastResult: last,
    error: failed ? { code: "REGISTRATION_FAILED", message: String(failed.reason) } : error,
  };
}

/** @param {Result} one @param {Result} other */
function isSame(one, other) {
  return (
    one.status === other.status &&
    one.inFlight === other.inFlight &&
    one.lastResult === other.lastResult &&
    one.error?.message === other.error?.message
  );
}

/**
 * Use the page's webtools, now or as soon as it is there.
 *
 * @param {(webtools: Webtools) => () => void} use gives the way back
 * @returns {() => void} the way back; if nothing came before, nothing will be used
 */
function withWebtools(use) {
  const present = findWebtools();
  if (present) return use(present);
  let isOver = false;
  let undo = () => {};
  arrival().then((webtools) => {
    if (!isOver) undo = use(webtools);
  });
  return () => {
    isOver = true;
    undo();
  };
}

/** @returns {Webtools | undefined} */
function findWebtools() {
  const found = /** @type {any} */ (globalThis).webtools;
  // an element with this id would be found, too
  return typeof found?.hold === "function" ? found : undefined;
}

/** @type {Promise<Webtools> | undefined} */
let arriving;

/**
 * Resolves when webtools says that it is there. It is imported only where the document's scripts have run and none of
 * them is webtools' own, which may be async.
 */
function arrival() {
  arriving ??= new Promise((resolve) => {
    const look = () => resolve(/** @type {Webtools} */ (findWebtools()));
    addEventListener("webtools", look, { once: true });
    scriptsRan().then(() => {
      if (findWebtools() || document.querySelector(TAG)) return;
      import(/* webpackIgnore: true */ /* @vite-ignore */ ENTRY).catch(report);
    });
  });
  return arriving;
}

/** Resolves when the scripts that the document came with have run, but for async ones. */
function scriptsRan() {
  return new Promise((resolve) => {
    if (document.readyState === "complete") resolve(undefined);
    document.addEventListener("DOMContentLoaded", resolve, { once: true });
    addEventListener("load", resolve, { once: true }); // where the other one has been missed
  });
}

/** @param {unknown} error */
function report(error) {
  console.error(
    "webtools: this page has no webtools, so useWebTool holds nothing. Load it by a script tag: " +
      `<script type="module" src="/webtools/webtools.js"></script> (${error})`,
  );
}
