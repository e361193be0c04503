import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { transform } from "esbuild";

const STATIC = fileURLToPath(new URL("../../static/", import.meta.url));
const OLDEST = ["safari17", "firefox140"];

/** What came to engines after the oldest ones, and no syntax check sees. */
const LATER = [
  /\.withResolvers\b/,
  /\bAbortSignal\.any\b/,
  /\b(Object|Map)\.groupBy\b/,
  /\bPromise\.try\b/,
  /\bURL\.parse\b/,
  /\bIterator\.from\b/,
  /\.(values|keys|entries)\(\)\.(map|filter|some|every|find|toArray|flatMap|reduce|forEach)\b/,
  /\bscheduler\.(postTask|yield)\b/,
  /\brequestIdleCallback\b/,
  /\bRegExp\.escape\b/,
];

/** By module, what it asks for before it uses it. @type {Record<string, string>} */
const ASKED_FOR = { "idle.js": "requestIdleCallback" };

const FILES = (await readdir(STATIC, { recursive: true })).filter(
  (name) => /\.m?js$/.test(name) && !name.includes("vendor"),
);

test("there are modules to look at", () => assert.ok(FILES.includes("polyfill.js")));

for (const file of FILES) {
  test(`${file} uses only what the oldest engines have`, async () => {
    const code = await readFile(`${STATIC}${file}`, "utf8");
    const { warnings } = await transform(code, {
      target: OLDEST,
      supported: { "top-level-await": true },
    });
    assert.deepEqual(warnings, []);
    const asked = ASKED_FOR[file];
    if (asked) assert.ok(code.includes(`typeof ${asked} === "function"`));
    const used = LATER.filter((name) => name.test(code) && !name.test(asked ?? "")).map(String);
    assert.deepEqual(used, []);
  });
}
