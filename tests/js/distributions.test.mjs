import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { distributionsIn, unfit } from "../../static/distributions.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

describe("distributionsIn", () => {
  test("reads name, version, needs that hold everywhere, files and modules of each wheel", () => {
    const metadata =
      "Metadata-Version: 2.4\nName: Made_Up.Shop\nVersion: 1.2\n" +
      'Requires-Dist: pydantic<3,>=2.14\nRequires-Dist: rich; extra == "cli"\n\nName: not this';
    const record =
      'made_up/__init__.py,sha256=a,1\nmade_up/"x".py,,\n"made_up/a,b.py",sha256=b,2\r\n' +
      "single.py,,\n_fast.cpython-314-wasm32-emscripten.so,,\nmade_up_shop-1.2.dist-info/RECORD,,\n";
    /** @type {[string, Uint8Array][]} */
    const members = [
      ["made_up/__init__.pyc", bytes("")],
      ["made_up_shop-1.2.dist-info/METADATA", bytes(metadata)],
      ["made_up_shop-1.2.dist-info/RECORD", bytes(record)],
    ];
    assert.deepEqual(distributionsIn(members), [
      {
        name: "made-up-shop",
        version: "1.2",
        needs: ["pydantic<3,>=2.14"],
        files: [
          "made_up/__init__.py",
          'made_up/"x".py',
          "made_up/a,b.py",
          "single.py",
          "_fast.cpython-314-wasm32-emscripten.so",
          "made_up_shop-1.2.dist-info/RECORD",
        ],
        modules: ["made_up", "single", "_fast"],
      },
    ]);
  });
});

describe("unfit", () => {
  const parts = { files: [], modules: [] };
  const PACK = [
    {
      ...parts,
      ...{ name: "webtools-host", version: "0.1.0", needs: ["pydantic<3,>=2.14", "docs (>=0.18)"] },
    },
    { ...parts, name: "pydantic", version: "2.14.4", needs: ["pydantic-core==2.50.5"] },
    { ...parts, name: "pydantic-core", version: "2.50.5", needs: ["typing-extensions!=4.14.0"] },
    { ...parts, name: "docs", version: "0.18.0", needs: [] },
    { ...parts, name: "typing-extensions", version: "4.16.0", needs: [] },
  ];
  const NONE = Object.fromEntries(PACK.map(({ name }) => [name, null]));

  /** @type {Record<string, Record<string, string>>} */
  const GOOD = {
    "nothing of it": {},
    "newer ones": { pydantic: "2.15", "pydantic-core": "2.51.0" },
    "newer ones by their numbers": { docs: "0.100" },
    "the very same ones": { pydantic: "2.14.4", "pydantic-core": "2.50.5" },
    "one of an unknown version": { pydantic: "" },
    "a candidate": { pydantic: "2.14.0rc1" },
    "our own of this version": { "webtools-host": "0.1.0" },
  };
  for (const [what, versions] of Object.entries(GOOD)) {
    test(`${what} may be there`, () =>
      assert.equal(unfit(PACK, { ...NONE, ...versions }), undefined));
  }

  for (const [versions, said] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [
      { pydantic: "2.13.9" },
      /has pydantic 2\.13\.9, and webtools needs pydantic<3,>=2\.14\. Leave pydantic out .* brings 2\.14\.4/,
    ],
    [{ pydantic: "3.0" }, /has pydantic 3\.0/],
    [{ pydantic: "2" }, /has pydantic 2,/],
    [{ docs: "0.17.9" }, /has docs 0\.17\.9/],
    [{ "pydantic-core": "2.50.4" }, /has pydantic-core 2\.50\.4, and pydantic needs .*==2\.50\.5/],
    [{ "typing-extensions": "4.14.0" }, /has typing-extensions 4\.14\.0/],
    [{ "webtools-host": "0.0.9" }, /has webtools 0\.0\.9, and the page has 0\.1\.0/],
    [{ "webtools-host": "0.1.0", pydantic: "2.13" }, /has pydantic 2\.13/],
    [{ "webtools-host": "" }, /webtools of an unknown version/],
  ])) {
    test(`${JSON.stringify(versions)} may not`, () =>
      assert.match(String(unfit(PACK, { ...NONE, ...versions })), said));
  }
});
