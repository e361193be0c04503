import { parseRoute } from "./routes.js";

const SETTLE_MS = 120;

/** @param {Window} view @returns {string} with one slash in front, whatever was typed */
export const currentPath = (view) =>
  view.location.pathname.replace(/^\/+/, "/") + view.location.search;

/** @param {Window} view @returns {number} where this entry of the history was left, in CSS pixels */
export const savedScroll = (view) => Number(view.history.state?.scrollY) || 0;

/** @param {MouseEvent} event @returns {HTMLAnchorElement | null} the link that a plain click follows within this tab */
function followedLink(event) {
  const isPlain =
    event.button === 0 &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented);
  const link = isPlain && event.target instanceof Element ? event.target.closest("a") : null;
  return link && !link.target && !link.download ? link : null;
}

/**
 * Ties the store to the browser's history: links and back/forward navigate the store, the store's navigations become entries.
 *
 * @param {import("./store.js").Store} store
 * @param {Window & {document: Document}} view
 * @returns {() => void} unties them
 */
export function connectHistory(store, view) {
  const { document, history, location } = view;
  const listening = new AbortController();
  const options = { signal: listening.signal };
  let { entry } = store.getSnapshot().visit;
  let timer = 0;

  function saveScroll() {
    view.clearTimeout(timer);
    history.replaceState({ ...history.state, scrollY: view.scrollY }, "");
  }

  function write() {
    const { visit } = store.getSnapshot();
    if (visit.entry === entry) return;
    entry = visit.entry;
    if (visit.by === "history") return;
    saveScroll();
    if (visit.replace) history.replaceState({ scrollY: view.scrollY }, "", visit.path);
    else history.pushState({ scrollY: 0 }, "", visit.path);
  }

  /** @param {MouseEvent} event */
  function follow(event) {
    const link = followedLink(event);
    if (!link || link.origin !== location.origin || link.hash) return;
    const path = link.pathname + link.search;
    if (parseRoute(path).page === "missing") return;
    event.preventDefault();
    store.navigate(path);
  }

  const previous = history.scrollRestoration;
  history.scrollRestoration = "manual";
  const unsubscribe = store.subscribe(write);
  document.addEventListener("click", follow, options);
  view.addEventListener("pagehide", saveScroll, options);
  view.addEventListener(
    "scroll",
    () => {
      view.clearTimeout(timer);
      timer = view.setTimeout(saveScroll, SETTLE_MS);
    },
    { ...options, passive: true },
  );
  view.addEventListener(
    "popstate",
    () => {
      // The entry has changed already: a position still waiting to be saved belongs to the one that was left.
      view.clearTimeout(timer);
      store.navigate(currentPath(view), { by: "history", scrollY: savedScroll(view) });
    },
    options,
  );

  return () => {
    listening.abort();
    unsubscribe();
    view.clearTimeout(timer);
    history.scrollRestoration = previous;
  };
}
