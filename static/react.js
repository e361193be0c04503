/**
 * A React hook for tools that come and go with components: `const { useWebTool } = bindReact(React)`.
 *
 * It uses the page's own React, and the page's own webtools as soon as that is there. Importing this module and
 * rendering on a server touch no window.
 */

import { withWebtools } from "./arrival.js";
import { parametersOf } from "./definitions.js";
import { knownOptions } from "./known.js";
import { checkPlace } from "./places.js";
import { leastOf } from "./statuses.js";
import { holdTools, readWanted, textOf } from "./wanted.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./definitions.js").ToolDefinition} ToolDefinition */
/** @typedef {import("./handlers.js").Handler} Handler */
/** @typedef {import("./statuses.js").HoldStatus} HoldStatus */
/** @typedef {import("./host.js").Host} Webtools */
/** @typedef {import("./wanted.js").Item} Item */

/**
 * What of React is used.
 *
 * @typedef {Pick<typeof import("react"), "useEffect" | "useInsertionEffect" | "useMemo" | "useRef" | "useState" |
 *   "useSyncExternalStore">} Hooks
 */

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

/** @typedef {import("./wanted.js").Place} Place */

const OPTIONS = ["enabled", "execute", "resourceId", "target", "fields", "perInstance"];

/** After these a result may be another. */
const EVENTS = ["status", "toolstate", "callstart", "callend"];

/** @typedef {{state: HoldStatus, reason?: string, inFlight: number}} Known */

/** @type {Known} */
const ABSENT = { state: "unknown", inFlight: 0 };

/** @type {Result} */
const NOTHING = Object.freeze({ status: "unknown", inFlight: 0, lastResult: null, error: null });

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
    const { enabled = true, resourceId, target, fields, perInstance } = known;
    const tools = readWanted("useWebTool", wanted, known);
    checkPlaces(tools, { target, fields });

    // StrictMode's remount keeps a state; another component in the same place has its own
    const [owner] = useState(() => new ReactComponent());
    const newest = useRef({ tools, target, fields });
    useInsertionEffect(() => {
      newest.current = { tools, target, fields };
    });

    const names = JSON.stringify(tools.map(({ name }) => name));
    const watch = useMemo(() => new Watch(JSON.parse(names)), [names]);
    const result = useSyncExternalStore(watch.subscribe, watch.getResult, () => NOTHING);

    const wish = JSON.stringify([
      textOf(tools, { resourceId, perInstance }),
      [target !== undefined, Object.keys(fields ?? {})],
    ]);
    useEffect(() => {
      if (!enabled) return undefined;
      const place = placeOf({ target, fields }, () => newest.current);
      const options = { resourceId, owner, perInstance, place };
      return holdTools(tools, options, () => newest.current.tools);
    }, [enabled, wish]);

    return result;
  }

  return { useWebTool };
}

/**
 * @param {import("./wanted.js").Tool[]} tools
 * @param {Place} place
 * @throws {TypeError} it says what means nothing
 */
function checkPlaces(tools, place) {
  const texts = tools.filter(({ definition }) => definition).map(({ text }) => text);
  checkPlace("useWebTool", place, texts.length > 0 ? parametersOf(texts) : undefined);
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
