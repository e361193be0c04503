/** What a `match` fits: the examples that Python's half of the matcher is held to, too. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { fits } from "../../static/paths.js";

/** @type {{match: string | string[], path: string, hash: string, fits: boolean}[]} */
const TABLE = JSON.parse(await readFile(new URL("../paths.json", import.meta.url), "utf8"));

for (const { match, path, hash, fits: expected } of TABLE) {
  test(`${match} ${expected ? "fits" : "does not fit"} ${path}${hash}`, () => {
    assert.equal(fits([match].flat(), { pathname: path, hash }), expected);
  });
}

test("no pattern fits nothing", () => {
  assert.equal(fits([], { pathname: "/", hash: "" }), false);
});

test("a path of a stranger's is compared in one pass: trying every place of every star would never end", () => {
  const pattern = `/${"*a".repeat(2000)}*b*`;
  assert.equal(fits([pattern], { pathname: `/${"a".repeat(20_000)}`, hash: "" }), false);
});
