/** A snapshot's memory: taken in one module of Emscripten, restored in another. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { headerOf, restoreMemory, takeSnapshot, withLibraries } from "../../static/snapshot.js";

const PAGE = 4096;
const RUNTIME = 64;
const OFFSET = 8;
const TRAMPOLINE = RUNTIME + 16;

/** A module whose trampoline is at an index of its own engine. @param {number} pages @param {number} trampoline */
function moduleWith(pages, trampoline) {
  const module = {
    HEAPU8: new Uint8Array(),
    HEAP32: new Int32Array(),
    __PyRuntime: RUNTIME,
    __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: OFFSET,
    LDSO: {
      loadedLibsByName: /** @type {Record<string, object>} */ ({
        "/a.so": { name: "/a.so" },
        __main__: { name: "__main__" },
      }),
      loadedLibsByHandle: /** @type {Record<string, object>} */ ({}),
    },
    growMemory(/** @type {number} */ size) {
      const grown = new Uint8Array(size);
      grown.set(module.HEAPU8);
      module.HEAPU8 = grown;
      module.HEAP32 = new Int32Array(grown.buffer);
    },
  };
  module.growMemory(pages * PAGE);
  module.HEAP32[OFFSET >> 2] = TRAMPOLINE - RUNTIME;
  module.HEAP32[TRAMPOLINE >> 2] = trampoline;
  return module;
}

/** Pyodide with this module, whose header is as long as it says. @param {ReturnType<typeof moduleWith>} module */
function pyodideWith(module) {
  const header = new Uint8Array(Uint32Array.of(0x504e5300, 16, 0, 0).buffer);
  return {
    _module: module,
    makeMemorySnapshot: () => new Uint8Array(Buffer.concat([header, module.HEAPU8])),
  };
}

/** @param {ReturnType<typeof moduleWith>} from @param {ReturnType<typeof moduleWith>} to */
function restore(from, to) {
  const { heap, about } = takeSnapshot(pyodideWith(from));
  restoreMemory(to, new Uint8Array(heap), about);
  return { heap, about };
}

describe("a snapshot", () => {
  it("is restored byte by byte, whatever was there, but for the engine's own trampoline", () => {
    const from = moduleWith(9, 7);
    for (const page of [0, 2, 3, 8])
      from.HEAPU8.fill(page + 1, page * PAGE + 200, (page + 1) * PAGE);
    const to = moduleWith(4, 8);
    to.HEAPU8.fill(99, 200);
    const { heap } = restore(from, to);
    const wanted = from.HEAPU8.slice();
    new Int32Array(wanted.buffer)[TRAMPOLINE >> 2] = 8;
    assert.deepEqual(to.HEAPU8, wanted);
    assert.equal(heap.length, 4 + 3 * 8 + 4 * PAGE); // three runs, four pages
  });

  it("is restored into a longer memory, the rest of which is emptied", () => {
    const from = moduleWith(1, 7);
    const to = moduleWith(3, 7);
    to.HEAPU8.fill(99, PAGE);
    restore(from, to);
    assert.deepEqual(to.HEAPU8.subarray(0, PAGE), from.HEAPU8);
    assert.ok(to.HEAPU8.subarray(PAGE).every((byte) => byte === 0));
  });

  it("has the libraries open that were", () => {
    const from = moduleWith(1, 7);
    from.LDSO.loadedLibsByHandle = { 4711: { name: "/a.so" }, 0: { name: "__main__" } };
    const to = moduleWith(1, 7);
    const main = { name: "__main__" };
    to.LDSO.loadedLibsByHandle = { 0: main };
    restore(from, to);
    assert.equal(to.LDSO.loadedLibsByHandle[4711], to.LDSO.loadedLibsByName["/a.so"]);
    assert.equal(to.LDSO.loadedLibsByHandle[0], main);
  });

  it("is told of to Pyodide by its header only", () => {
    const { about } = takeSnapshot(pyodideWith(moduleWith(1, 7)));
    assert.deepEqual(headerOf(about), new Uint8Array(Uint32Array.of(0x504e5300, 16, 0, 0).buffer));
    assert.equal(about.memory, PAGE);
  });
});

/** The smallest module of WebAssembly. */
const LIBRARY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** A module of Emscripten that runs its hooks, then waits for what they have asked it to. */
function emscripten() {
  /** @type {any[]} */
  const opened = [];
  const table = { length: 100, grow: (/** @type {number} */ by) => void (table.length += by) };
  const create = async (/** @type {{preRun: ((module: any) => void)[]}} */ { preRun }) => {
    let waitsFor = 0;
    const module = {
      wasmTable: table,
      opened,
      addRunDependency: () => void (waitsFor += 1),
      removeRunDependency: () => void (waitsFor -= 1),
      newDSO: (/** @type {string} */ path) => ({ path }),
      async loadWebAssemblyModule(
        /** @type {any} */ code,
        /** @type {{}} */ _options,
        /** @type {string} */ path,
      ) {
        assert.ok(code instanceof WebAssembly.Module);
        table.length += 1;
        opened.push([path, table.length]);
      },
    };
    for (const hook of preRun) hook(module);
    while (waitsFor > 0) await new Promise((resolve) => setImmediate(resolve));
    return module;
  };
  return { create, opened };
}

describe("libraries", () => {
  it("are opened in the pack's order at the same place of the table, before all else", async () => {
    const { create, opened } = emscripten();
    /** @type {unknown[]} */
    const seen = [];
    const make = withLibraries(
      create,
      [
        ["b/b.so", LIBRARY],
        ["b/__init__.pyc", new Uint8Array()],
        ["a.so", LIBRARY],
      ],
      "/site",
      async (module) => void seen.push(...module.opened),
    );
    await make({ preRun: [] });
    assert.deepEqual(opened, [
      ["/site/b/b.so", 16_385],
      ["/site/a.so", 16_386],
    ]);
    assert.deepEqual(seen, opened);
  });

  it("one that cannot be compiled ends it", async () => {
    const { create } = emscripten();
    const make = withLibraries(create, [["a.so", Uint8Array.of(1, 2, 3)]], "/site");
    await assert.rejects(make({ preRun: [] }), WebAssembly.CompileError);
  });
});
