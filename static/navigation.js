/** Notices when the page's URL gets another path or hash, whoever changes it. */

/** @typedef {{pathname: string, hash: string}} Place as `location` gives them, percent-encoded */

/**
 * Watch where the page is.
 *
 * @param {Window} view
 * @param {(place: Place) => void} onMove called when path or hash is another than it was, one microtask after the call
 *   that navigated: some routers navigate inside a React insertion effect, where telling React is an error
 * @returns {() => void} undo; harmless twice
 */
export function watchPlace(view, onMove) {
  let { pathname, hash } = view.location;
  const end = new AbortController();
  const look = () => {
    const { location } = view;
    if (end.signal.aborted || (location.pathname === pathname && location.hash === hash)) return;
    ({ pathname, hash } = location);
    onMove({ pathname, hash });
  };
  const lookSoon = () => queueMicrotask(look);
  const listen = (/** @type {EventTarget} */ target, /** @type {string} */ type) =>
    target.addEventListener(type, lookSoon, { signal: end.signal });
  listen(view, "pageshow"); // from the back-forward cache, perhaps at another entry
  const { navigation } = view;
  // without an entry, as in a sandboxed frame, it never tells anything
  if (navigation?.currentEntry) {
    listen(navigation, "currententrychange");
    return () => end.abort();
  }
  listen(view, "popstate");
  listen(view, "hashchange");
  const undos = [
    wrap(view.history, "pushState", lookSoon),
    wrap(view.history, "replaceState", lookSoon),
  ];
  return () => {
    end.abort();
    for (const undo of undos) undo();
  };
}

/**
 * Put an own property over a function of the history, which goes on to be what it was, also when it throws.
 *
 * @param {History} history
 * @param {"pushState" | "replaceState"} name
 * @param {() => void} after
 * @returns {() => void} undo, unless somebody has wrapped it since: theirs stays, and ours within it
 */
function wrap(history, name, after) {
  const before = Object.getOwnPropertyDescriptor(history, name);
  const theirs = history[name];
  /** @this {History} @param {any} args */
  function wrapped(...args) {
    try {
      // without a wrapper of somebody's, the prototype may still get one
      const real = before ? theirs : Object.getPrototypeOf(history)[name];
      return Reflect.apply(real, this, args);
    } finally {
      after();
    }
  }
  const ours = { value: wrapped, writable: true, enumerable: true, configurable: true };
  Reflect.defineProperty(history, name, ours); // false for a frozen one: then the events alone tell
  return () => {
    if (Object.getOwnPropertyDescriptor(history, name)?.value !== wrapped) return;
    if (before) Object.defineProperty(history, name, before);
    else Reflect.deleteProperty(history, name);
  };
}
