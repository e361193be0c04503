import assert from "node:assert/strict";
import { test } from "node:test";

import { forbidWarnings, turn, until } from "./fakes.mjs";
import { newPage, RUNTIME } from "./page.mjs";

forbidWarnings();

let count = 0;

/**
 * Loads the entry anew, as another page does, beside the runtime of the fixtures.
 *
 * @param {import("node:test").TestContext} context
 * @param {object[]} scripts the page's `script[data-app]`, by their `data-…` attributes
 */
async function loadEntry(context, scripts) {
  const page = newPage(context);
  const window = /** @type {any} */ (new EventTarget());
  window.addEventListener("webtools", () => (window.announced = window.webtools));
  page.document.querySelectorAll = () => scripts.map((dataset) => ({ dataset }));
  Object.assign(globalThis, { window });
  const entry = await import(`../../static/webtools.js?${(count += 1)}`);
  return { ...page, entry, window };
}

test("the entry sets window.webtools, announces it, and boots every script's app", async (context) => {
  const scripts = ["/a.py", "/b.py"].map((app) => ({ app, runtime: RUNTIME }));
  const { entry, window, calls } = await loadEntry(context, scripts);
  assert.equal(window.webtools, entry.webtools);
  assert.equal(window.announced, entry.webtools);
  assert.deepEqual([entry.status, calls], ["loading", []]);
  await entry.ready;
  assert.deepEqual(
    calls.map(([, url]) => url),
    ["https://shop.example/a.py", "https://shop.example/b.py"],
  );
  await until(() => entry.status === "ready");
});

test("without a script nothing boots until start, whose outcome is the page's", async (context) => {
  const { entry, fetch } = await loadEntry(context, []);
  await turn();
  assert.deepEqual([fetch.callCount(), entry.status], [0, "loading"]);
  await entry.start({ app: "/a.py", runtime: RUNTIME });
  await entry.ready;
  assert.equal(entry.webtools.status, "ready");
});

test("an app that fails fails the page, and is no unhandled rejection", async (context) => {
  const { entry, errors } = await loadEntry(context, [{ app: "/no.py", runtime: RUNTIME }]);
  await until(() => entry.status === "failed");
  assert.equal(errors().length, 1);
  await assert.rejects(entry.ready, /HTTP 404/);
});

test("what JavaScript may use is there, on the object and by import", async (context) => {
  const { entry } = await loadEntry(context, []);
  for (const name of ["start", "tools", "call", "expose", "ready", "status"]) {
    assert.equal(entry[name], entry.webtools[name], name);
  }
});
