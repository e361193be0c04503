/** The pack of the page's packages. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isLibrary, membersOf, unpack } from "../../static/pack.js";
import { zipOf } from "./zips.mjs";

/** Emscripten's file system, as far as packs need it. */
function fakeFS() {
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  /** @type {string[]} */
  const folders = [];
  /** @type {string[]} */
  const compiled = [];
  return {
    files,
    folders,
    compiled,
    mkdirTree: (/** @type {string} */ path) => void folders.push(path),
    writeFile: (/** @type {string} */ path, /** @type {Uint8Array} */ bytes) => {
      files[path] = bytes;
    },
    preloadFile: async (
      /** @type {string} */ folder,
      /** @type {string} */ name,
      /** @type {Uint8Array} */ bytes,
    ) => {
      await undefined;
      files[`${folder}/${name}`] = bytes;
      compiled.push(name);
    },
  };
}

const text = (/** @type {Uint8Array | undefined} */ bytes) => new TextDecoder().decode(bytes);

describe("a pack", () => {
  it("has its members as they were, views of its own bytes", () => {
    const pack = zipOf({ "shop/__init__.pyc": "code", "shop/größe.txt": "42", empty: "" });
    const members = membersOf(pack);
    assert.deepEqual(
      members.map(([name, bytes]) => [name, text(bytes)]),
      [
        ["shop/__init__.pyc", "code"],
        ["shop/größe.txt", "42"],
        ["empty", ""],
      ],
    );
    assert.equal(members[0]?.[1].buffer, pack.buffer);
  });

  it("may lie in the middle of other bytes", () => {
    const pack = zipOf({ a: "1" });
    const whole = new Uint8Array(pack.length + 3);
    whole.set(pack, 3);
    assert.equal(text(membersOf(whole.subarray(3))[0]?.[1]), "1");
  });

  it("is unpacked with each folder made once, and its libraries compiled", async () => {
    const fs = fakeFS();
    const members = membersOf(zipOf({ "a/b.pyc": "b", "a/c.so": "wasm", "a/d/e": "e" }));
    await unpack(fs, members, "/lib/site-packages");
    assert.deepEqual(fs.folders, ["/lib/site-packages/a", "/lib/site-packages/a/d"]);
    assert.deepEqual(fs.compiled, ["c.so"]);
    assert.deepEqual(
      Object.entries(fs.files).map(([path, bytes]) => [path, text(bytes)]),
      [
        ["/lib/site-packages/a/b.pyc", "b"],
        ["/lib/site-packages/a/c.so", "wasm"],
        ["/lib/site-packages/a/d/e", "e"],
      ],
    );
  });

  it("that is none is refused", () => {
    assert.throws(() => membersOf(new Uint8Array(3)), /is no zip/);
    assert.throws(() => membersOf(new Uint8Array(100)), /is no zip/);
    assert.throws(() => membersOf(zipOf({ a: "1" }, 8)), /not stored/);
  });
});

describe("isLibrary", () => {
  it("goes by the name", () => {
    assert.ok(isLibrary("pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so"));
    assert.ok(!isLibrary("pydantic/also.py"));
  });
});
