import assert from "node:assert/strict";
import { test } from "node:test";

import { revealed, shown } from "../../static/markup.js";

/** Hides, or turns what follows. @type {[name: string, character: string, escaped: string][]} */
const HIDING = [
  ["the right-to-left override", "\u202e", "\\u202e"],
  ["a left-to-right embedding", "\u202a", "\\u202a"],
  ["a zero width space", "\u200b", "\\u200b"],
  ["a byte order mark", "\ufeff", "\\ufeff"],
  ["a soft hyphen", "\u00ad", "\\u00ad"],
  ["a Hangul filler", "\u3164", "\\u3164"],
  ["a line separator", "\u2028", "\\u2028"],
  ["an escape", "\u009b", "\\u009b"],
  ["a tag", "\u{e0041}", "\\udb40\\udc41"],
];

for (const [name, character, escaped] of HIDING) {
  test(`${name} is seen in a text and in data`, () => {
    assert.equal(revealed(`a${character}b`), `a${escaped}b`);
    assert.equal(shown({ a: `a${character}b` }), `{\n  "a": "a${escaped}b"\n}`);
  });
}

test("what writing needs stays: line ends, joiners, emoji, and in a text the marks and isolates", () => {
  const text = "می\u200cخواهم 👩\u200d💻 ❤\ufe0f\n";
  assert.equal(revealed(`${text}\u2068Dana\u2069\u200f\t`), `${text}\u2068Dana\u2069\u200f\t`);
  assert.equal(JSON.parse(shown(text)), text);
  assert.equal(shown("\u2068Dana\u2069"), '"\\u2068Dana\\u2069"');
});
