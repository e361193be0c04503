/**
 * Bring Python up, with the packages of the runtime: from a snapshot of its memory where that is the quicker way, else
 * by starting it and unpacking them. The second way needs only what Pyodide promises, and stands behind the first.
 *
 * Everything comes from the runtime's folder; nothing is asked of another host.
 */
import { BootError, EMPTY_WASM, fetchWasm, importModule, RUNTIME_CURE } from "./fetching.js";
import { lookAfterHeap, quickHeap } from "./heaps.js";
import { withLimit } from "./limit.js";
import { membersOf, unpack } from "./pack.js";
import { openRuntime } from "./runtime.js";
import { headerOf, restoreMemory, withLibraries } from "./snapshot.js";
import { describe } from "./wire.js";

/** @typedef {import("./runtime.js").Runtime} Runtime */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {"auto" | "off"} SnapshotMode */

/**
 * What every boot needs.
 *
 * @typedef {object} Parts
 * @property {(options: object) => Promise<any>} loadPyodide
 * @property {(settings: any) => Promise<any>} createModule
 * @property {[string, Bytes][]} members the pack's
 */

/**
 * Pyodide's modules, on their way.
 *
 * @typedef {object} Engine
 * @property {Promise<Parts["loadPyodide"]>} loadPyodide
 * @property {Promise<Parts["createModule"]>} createModule
 * @property {Promise<string>} measured the URL of the larger one, once it has come
 */

/** How long Python may take to start once all its files are there. */
const START_LIMIT_MS = 60_000;

/** How long a heap is waited for once all else is there: a link may be slower than it seemed, or stand still. */
const HEAP_LIMIT_MS = 5_000;

/**
 * @param {string} base URL of the runtime's folder, ends with "/"
 * @param {SnapshotMode} [mode] whether a snapshot may be used
 * @returns {Promise<{pyodide: any, runtime: Runtime}>} Pyodide, with `webtools` installed
 */
export async function bootPython(base, mode = "auto") {
  checkWebAssembly();
  const runtime = await openRuntime(base);
  const snapshot = mode === "auto" ? runtime.index.snapshot : undefined;
  const engine = importEngine(runtime);
  const parts = fetchParts(runtime, engine);
  parts.catch(() => {}); // it is waited for below
  const quick = snapshot && (await quickHeap(runtime, snapshot, engine.measured));
  quick?.heap.catch(() => {}); // it is waited for below
  const all = await parts;
  const tried = snapshot && quick && (await tryToRestore(runtime, snapshot, all, quick.heap));
  const pyodide = tried?.pyodide ?? (await plain(runtime, all));
  // Python could be started, so it was the snapshot's fault
  if (snapshot) lookAfterHeap(runtime, snapshot, quick?.heap, tried?.isUnfit);
  return { pyodide, runtime };
}

/**
 * @param {Runtime} runtime
 * @returns {Engine}
 */
function importEngine({ engine }) {
  const url = `${engine}pyodide.asm.mjs`;
  const module = importModule(url);
  const found = {
    loadPyodide: importModule(`${engine}pyodide.mjs`).then(({ loadPyodide }) => loadPyodide),
    createModule: module.then(({ default: createModule }) => createModule),
    measured: module.then(() => url),
  };
  for (const each of Object.values(found)) each.catch(() => {}); // another may have failed before
  return found;
}

/**
 * Fetch all of it, and compile the WebAssembly while it comes. Pyodide fetches the standard library again, and would wait
 * for it without end if that failed; so it is fetched here first, and Pyodide finds it in the browser's cache.
 *
 * @param {Runtime} runtime
 * @param {Engine} engine
 * @returns {Promise<Parts>}
 */
async function fetchParts(runtime, engine) {
  const [loadPyodide, createModule, pack, , wasm] = await Promise.all([
    engine.loadPyodide,
    engine.createModule,
    runtime.fetch(runtime.index.packages),
    runtime.fetch(runtime.index.stdlib),
    fetchWasm(`${runtime.engine}pyodide.asm.wasm`, RUNTIME_CURE),
  ]);
  return { loadPyodide, createModule: withWasm(createModule, wasm), members: membersOf(pack) };
}

/**
 * Make a module of Emscripten from WebAssembly that is compiled, instead of what Pyodide fetches itself: that comes a
 * second time, and where it does not come, Pyodide, which knows no other way, would wait without end.
 *
 * @param {Parts["createModule"]} createModule Pyodide's own
 * @param {WebAssembly.Module} wasm
 * @returns {Parts["createModule"]}
 */
function withWasm(createModule, wasm) {
  return (settings) => {
    const { instantiateWasm } = settings;
    const failed = new Promise((_, reject) => {
      settings.instantiateWasm = (/** @type {any} */ imports, /** @type {unknown} */ done) => {
        settings.instantiateWasm = instantiateWasm; // the module lives on
        const { instantiateStreaming } = WebAssembly;
        WebAssembly.instantiateStreaming = async (source, given) => {
          if (given !== imports) return instantiateStreaming.call(WebAssembly, source, given);
          WebAssembly.instantiateStreaming = instantiateStreaming;
          Promise.resolve(source).then(
            (response) => response.body?.cancel(),
            () => {}, // it is not needed
          );
          try {
            return { module: wasm, instance: await WebAssembly.instantiate(wasm, imports) };
          } catch (error) {
            const what = `Python's WebAssembly does not fit (${describe(error)})`;
            reject(new BootError(`${what}. ${RUNTIME_CURE}`, error));
            throw error;
          }
        };
        return instantiateWasm(imports, done);
      };
    });
    return Promise.race([createModule(settings), failed]);
  };
}

/**
 * Start Python, and have it find packages that were not there as it started.
 *
 * @param {Runtime} runtime
 * @param {Parts} parts
 */
async function plain(runtime, parts) {
  const pyodide = await withPackages(runtime, parts, { createPyodideModule: parts.createModule });
  pyodide.pyimport("importlib").invalidate_caches();
  return pyodide;
}

/**
 * Restore Python from a snapshot; where that fails, say so.
 *
 * @param {Runtime} runtime
 * @param {import("./runtime.js").RuntimeFile & import("./snapshot.js").About} snapshot
 * @param {Parts} parts
 * @param {Promise<Bytes>} heap
 * @returns {Promise<{pyodide?: any, isUnfit?: boolean}>} `isUnfit`: it failed, and not because the heap was late
 */
async function tryToRestore(runtime, snapshot, parts, heap) {
  let isLate = false;
  const inTime = () =>
    withLimit(heap, HEAP_LIMIT_MS, () => {
      isLate = true;
      throw new Error(`it did not come within ${HEAP_LIMIT_MS / 1000} s after all else`);
    });
  try {
    return { pyodide: await restoredPython(runtime, snapshot, parts, inTime) };
  } catch (error) {
    const why = describe(error).replace(/\.$/, "");
    console.warn(`webtools: the snapshot is not used, which costs time only: ${why}.`);
    return { isUnfit: !isLate };
  }
}

/**
 * Restore Python from a snapshot, with the files that it knows of.
 *
 * @param {Runtime} runtime
 * @param {import("./snapshot.js").About} about
 * @param {Parts} parts
 * @param {() => Promise<Bytes>} heap waited for when its memory is to be written
 */
async function restoredPython(runtime, about, parts, heap) {
  const { createModule, members } = parts;
  const restore = async (/** @type {any} */ module) => restoreMemory(module, await heap(), about);
  const pyodide = await withPackages(runtime, parts, {
    createPyodideModule: withLibraries(createModule, members, runtime.index.sitePackages, restore),
    _loadSnapshot: headerOf(about),
  });
  pyodide.pyimport("webtools.browser.awakening").awake();
  return pyodide;
}

/**
 * Wait for Python, then unpack the packages, their libraries compiled.
 *
 * @param {Runtime} runtime
 * @param {Parts} parts
 * @param {object} options of `loadPyodide`, beside those that always hold
 */
async function withPackages(runtime, { loadPyodide, members }, options) {
  const starting = loadPyodide({ ...optionsOf(runtime), ...options });
  const pyodide = await withLimit(starting, START_LIMIT_MS, notStarted);
  await unpack(pyodide.FS, members, runtime.index.sitePackages);
  return pyodide;
}

/** @param {Runtime} runtime */
function optionsOf(runtime) {
  const { engine, index } = runtime;
  return {
    indexURL: engine,
    stdLibURL: runtime.urlOf(index.stdlib),
    lockFileContents: JSON.stringify({ info: index.info, packages: {} }),
    // what an app installs itself must not come from another host
    packageBaseUrl: engine,
  };
}

/** @returns {never} */
function notStarted() {
  const seconds = START_LIMIT_MS / 1000;
  throw new BootError(
    `Python did not start within ${seconds} s. Check the network, then reload the page.`,
  );
}

function checkWebAssembly() {
  try {
    new WebAssembly.Module(EMPTY_WASM);
  } catch (error) {
    const missing = typeof WebAssembly === "undefined";
    throw new BootError(
      missing
        ? "This browser has no WebAssembly, which Python needs."
        : "The page's Content-Security-Policy blocks WebAssembly, which Python needs. " +
            "Add 'wasm-unsafe-eval' to script-src.",
      error,
    );
  }
}
