/** Snapshots' heaps: whether a page takes one, and where it is kept, decompressed, for the next visit. */
import { whenIdle } from "./idle.js";
import { isAsTold } from "./runtime.js";

/** @typedef {import("./runtime.js").Runtime} Runtime */
/** @typedef {import("./runtime.js").RuntimeFile} RuntimeFile */
/** @typedef {Uint8Array<ArrayBuffer>} Heap */

const CACHE = "webtools";

/** Where it stands which heap this browser cannot use: one that another engine lays out has to be fetched for nothing. */
const REFUSED = "webtools.snapshot";

/**
 * The least speed, in bits a millisecond, with which a file has to come beside others for a heap's bytes to be there
 * sooner than Python starts without: over a link of 100 Mbit/s it comes with some 9, and the heap would come later.
 */
const FAST = 15_000;

/**
 * Begin to load a heap, if it is the quicker way: an earlier visit has kept it, or the link is fast and the person does
 * not save data. One that was of no use to an earlier visit is not tried again.
 *
 * @param {Runtime} runtime
 * @param {RuntimeFile} entry the heap's
 * @param {Promise<string>} measured settles with the URL of a file that has come over the link
 * @returns {Promise<{heap: Promise<Heap>} | undefined>}
 */
export async function quickHeap(runtime, entry, measured) {
  if (isRefused(entry)) return undefined;
  const kept = await keptHeap(runtime.urlOf(entry)).catch(() => undefined);
  if (kept) return { heap: checked(kept, entry) };
  if (savesData()) return undefined;
  return isFast(await measured) ? { heap: runtime.fetch(entry) } : undefined;
}

/**
 * See to a heap for the next visit, as soon as it has come, if it ever does.
 *
 * @param {Runtime} runtime
 * @param {RuntimeFile} entry the heap's
 * @param {Promise<Heap>} [heap] where this visit has begun to load it
 * @param {boolean} [isUnfit] whether Python could not be restored from it
 */
export async function lookAfterHeap(runtime, entry, heap, isUnfit = false) {
  const bytes = await heap?.catch(() => undefined);
  if (isUnfit) await dropHeap(runtime, entry, bytes !== undefined);
  keepLater(runtime, entry, bytes);
}

/**
 * Have the next visit find a heap, when the page is idle. A browser that has no room for it does without.
 *
 * @param {Runtime} runtime
 * @param {RuntimeFile} entry the heap's
 * @param {Heap} [heap] where it is here already; else it is fetched, unless the person saves data
 */
export function keepLater(runtime, entry, heap) {
  const url = runtime.urlOf(entry);
  whenIdle(async () => {
    try {
      if (!canKeep() || isRefused(entry) || (await keptHeap(url)) || (!heap && savesData())) return;
      const bytes = heap ?? (await runtime.fetch(entry));
      await forgetHeaps(url); // older ones, too
      await (await caches.open(CACHE)).put(url, new Response(bytes));
    } catch {
      // the next visit tries again
    }
  });
}

/**
 * A heap was of no use: forget it, and where that was not its own fault, never try it again.
 *
 * @param {Runtime} runtime
 * @param {RuntimeFile} entry the heap's
 * @param {boolean} isWhole whether it was as the index tells
 */
export async function dropHeap(runtime, entry, isWhole) {
  try {
    if (isWhole) localStorage.setItem(REFUSED, entry.sha256);
    await forgetHeaps(runtime.urlOf(entry));
  } catch {
    // the next visit finds it out again
  }
}

/** Forget all heaps of a folder. @param {string} url of one of them */
async function forgetHeaps(url) {
  const folder = url.slice(0, url.lastIndexOf("/") + 1);
  const cache = await caches.open(CACHE);
  for (const { url: each } of await cache.keys()) {
    if (each.startsWith(folder)) await cache.delete(each);
  }
}

/** @param {RuntimeFile} entry */
function isRefused({ sha256 }) {
  try {
    return localStorage.getItem(REFUSED) === sha256;
  } catch {
    return false;
  }
}

/** @param {string} url */
async function keptHeap(url) {
  return canKeep() ? (await caches.open(CACHE)).match(url) : undefined;
}

/** Whether the browser keeps anything for this page: on secure origins only. */
function canKeep() {
  return typeof caches !== "undefined";
}

/** @param {Response} kept @param {RuntimeFile} entry @returns {Promise<Heap>} */
async function checked(kept, entry) {
  const bytes = await kept.arrayBuffer();
  if (!(await isAsTold(bytes, entry))) throw new Error("the browser has not kept it as it was");
  return new Uint8Array(bytes);
}

/** @param {string} url of a file that has come; one that was in the browser's cache says nothing of the link */
function isFast(url) {
  const [timing] = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url));
  if (!timing?.transferSize) return false;
  return (timing.transferSize * 8) / (timing.responseEnd - timing.responseStart) >= FAST;
}

function savesData() {
  const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (navigator);
  return connection?.saveData === true;
}
