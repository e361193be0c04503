/**
 * A snapshot: the memory of an interpreter that has the page's packages imported, so that a page need not import them.
 *
 * Node makes it and pages restore it, both with this module, since both must lay out memory alike. It leans on what
 * Pyodide and Emscripten do not promise; ../shared/spec/platform.md ("Boot") says what. So a page that cannot restore
 * it boots the plain way (`boot.js`).
 */
import { isLibrary } from "./pack.js";

/**
 * @typedef {object} About
 * @property {string} header Pyodide's own, in base64: its build, and the JavaScript objects that Python knows
 * @property {number} memory bytes of the whole memory
 * @property {Record<string, string>} handles the libraries that are open: paths by their addresses
 */

/** How long the table of functions is before a library adds its own: engines add a different few of their own. */
const TABLE_LENGTH = 16_384;

/** The unit in which memory is kept; pages of zeros are left out. */
const PAGE = 4096;

/**
 * Make a module of Emscripten in which the pack's libraries have been opened in their order, before Python runs.
 *
 * @param {(settings: any) => Promise<any>} createModule Pyodide's own
 * @param {[string, Uint8Array<ArrayBuffer>][]} members the pack's
 * @param {string} folder where Python has them
 * @param {(module: any) => Promise<void>} [restore] what else has to happen before Python runs
 * @returns {(settings: any) => Promise<any>} for `createPyodideModule`
 */
export function withLibraries(createModule, members, folder, restore = async () => {}) {
  const libraries = members
    .filter(([name]) => isLibrary(name))
    .map(([name, bytes]) => ({ path: `${folder}/${name}`, code: WebAssembly.compile(bytes) }));
  return async (settings) => {
    /** @type {unknown[]} */
    const problems = [];
    settings.preRun.push((/** @type {any} */ module) => {
      module.addRunDependency("libraries");
      openLibraries(module, libraries)
        .catch((error) => problems.push(error))
        .finally(() => module.removeRunDependency("libraries"));
    });
    const module = await createModule(settings);
    for (const problem of problems) throw problem;
    await restore(module);
    return module;
  };
}

/** @param {any} module Emscripten's @param {{path: string, code: Promise<WebAssembly.Module>}[]} libraries */
async function openLibraries(module, libraries) {
  for (const { path, code } of libraries) {
    const compiled = await code;
    const table = module.wasmTable;
    if (table.length < TABLE_LENGTH) table.grow(TABLE_LENGTH - table.length);
    const library = module.newDSO(path, undefined, "loading");
    library.global = false;
    const options = { loadAsync: true, nodelete: true, allowUndefined: false };
    library.exports = await module.loadWebAssemblyModule(compiled, options, path, {}, 0);
  }
}

/**
 * Take a snapshot.
 *
 * @param {any} pyodide made with `_makeSnapshot` and `withLibraries`
 * @returns {{heap: Uint8Array, about: About}}
 */
export function takeSnapshot(pyodide) {
  /** @type {Uint8Array} */
  const whole = pyodide.makeMemorySnapshot();
  const start = new Uint32Array(whole.buffer, whole.byteOffset, 2)[1] ?? 0;
  const handles = Object.entries(pyodide._module.LDSO.loadedLibsByHandle).map(
    ([handle, { name }]) => [handle, name],
  );
  const memory = whole.subarray(start);
  return {
    heap: packed(memory),
    about: {
      header: btoa(String.fromCharCode(...whole.subarray(0, start))),
      memory: memory.length,
      handles: Object.fromEntries(handles),
    },
  };
}

/** @param {About} about @returns {Uint8Array} what `loadPyodide` is given as its snapshot */
export function headerOf({ header }) {
  return Uint8Array.from(atob(header), (character) => character.charCodeAt(0));
}

/**
 * Write a snapshot's memory into a module that has run nothing yet.
 *
 * @param {any} module Emscripten's
 * @param {Uint8Array<ArrayBuffer>} heap
 * @param {About} about
 */
export function restoreMemory(module, heap, { memory, handles }) {
  const used = module.HEAPU8.length;
  if (used < memory) module.growMemory(memory);
  // an index into this engine's table of functions
  const trampoline =
    module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >> 2];
  const own = module.HEAP32[trampoline >> 2];
  unpackInto(module.HEAPU8, used, heap);
  module.HEAP32[trampoline >> 2] = own;
  const { loadedLibsByHandle, loadedLibsByName } = module.LDSO;
  for (const [handle, name] of Object.entries(handles)) {
    loadedLibsByHandle[handle] ??= loadedLibsByName[name];
  }
}

/**
 * Leave out the pages of zeros: `count`, then for each run of pages its first and its length, then the pages.
 *
 * @param {Uint8Array} memory
 */
function packed(memory) {
  /** @type {[number, number][]} */
  const runs = [];
  for (let page = 0; page * PAGE < memory.length; page += 1) {
    if (memory.subarray(page * PAGE, (page + 1) * PAGE).every((byte) => byte === 0)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === page) last[1] += 1;
    else runs.push([page, 1]);
  }
  const head = new Uint8Array(Uint32Array.from([runs.length, ...runs.flat()]).buffer);
  const parts = runs.map(([first, count]) => memory.subarray(first * PAGE, (first + count) * PAGE));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, head.length));
  let at = 0;
  for (const part of [head, ...parts]) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} memory @param {number} used what may have other bytes than 0 @param {Uint8Array<ArrayBuffer>} heap */
function unpackInto(memory, used, heap) {
  const [count = 0] = new Uint32Array(heap.buffer, heap.byteOffset, 1);
  const runs = new Uint32Array(heap.buffer, heap.byteOffset + 4, 2 * count);
  let at = 4 + 8 * count;
  let done = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const begin = (runs[run] ?? 0) * PAGE;
    const length = (runs[run + 1] ?? 0) * PAGE;
    if (done < used) memory.fill(0, done, Math.min(begin, used));
    memory.set(heap.subarray(at, at + length), begin);
    at += length;
    done = begin + length;
  }
  if (done < used) memory.fill(0, done, used);
}
