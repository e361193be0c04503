/**
 * The page's webtools, now or as soon as it is there: for modules that may be loaded before it, without it, or on a
 * server. Importing this touches no window.
 */

/** @typedef {import("./host.js").Host} Webtools */

/**
 * Beside this module, where it is served as it is. Not written inside `import()`, since bundlers would then put a
 * second webtools into the page.
 */
const ENTRY = "./webtools.js";

/** A script tag that loads it. */
const TAG = 'script[src*="webtools.js"]';

/**
 * Use the page's webtools, now or as soon as it is there.
 *
 * @param {(webtools: Webtools) => () => void} use gives the way back
 * @returns {() => void} the way back; if nothing came before, nothing will be used
 */
export function withWebtools(use) {
  const present = findWebtools();
  if (present) return use(present);
  /** @type {typeof use | undefined} */
  let wanted = use; // forgotten when it is over: a page may never have webtools
  let undo = () => {};
  arrival().then((webtools) => {
    if (wanted) undo = wanted(webtools);
  });
  return () => {
    wanted = undefined;
    undo();
  };
}

/** @returns {Webtools | undefined} */
export function findWebtools() {
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
    "webtools: this page has no webtools, so no tool of its components and elements is held. Load it by a script " +
      `tag: <script type="module" src="/webtools/webtools.js"></script> (${error})`,
  );
}
