import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings, turn, until } from "./fakes.mjs";
import { newPage, RUNTIME } from "./page.mjs";

forbidWarnings();

let count = 0;

/**
 * Loads the entry anew, as another page does, beside the runtime of the fixtures.
 *
 * @param {import("node:test").TestContext} context
 * @param {object[]} scripts the page's `script[data-app]`, by their `data-…` attributes
 * @param {object} [globals] what the window has already
 */
async function loadEntry(context, scripts, globals = {}) {
  const page = newPage(context);
  const tags = scripts.map((dataset) => ({ dataset }));
  page.document.querySelectorAll = () => tags;
  page.document.querySelector = () => null;
  Object.assign(page.window, globals);
  page.window.addEventListener("webtools", () => (page.window.announced = page.window.webtools));
  const entry = await import(`../../static/webtools.js?${(count += 1)}`);
  return { ...page, entry };
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
  for (const name of [
    "start",
    "attach",
    "tools",
    "call",
    "expose",
    "hold",
    "ready",
    "settled",
    "status",
  ]) {
    assert.equal(entry[name], entry.webtools[name], name);
  }
});

describe("another copy of the library", () => {
  test("of the same version hands the scripts that are left to the first, and exports it", async (context) => {
    const app = { app: "/a.py", runtime: RUNTIME };
    const { entry, window, calls, document } = await loadEntry(context, [app]);
    const more = document.querySelectorAll();
    more.push({ dataset: { ...app, app: "/b.py" } });
    const second = await import(`../../static/webtools.js?${(count += 1)}`);
    assert.equal(second.webtools, entry.webtools);
    assert.equal(window.webtools, entry.webtools);
    await until(() => calls.length === 2);
    assert.deepEqual(
      calls.map(([, url]) => url),
      ["https://shop.example/a.py", "https://shop.example/b.py"],
    );
    await until(() => second.status === "ready");
  });

  test("of another version does nothing but one console error", async (context) => {
    const other = Object.assign(new EventTarget(), { version: "0.0.9", hold() {} });
    const { window, fetch, errors } = await loadEntry(
      context,
      [{ app: "/a.py", runtime: RUNTIME }],
      { webtools: other },
    );
    await turn();
    assert.equal(window.webtools, other);
    assert.equal(fetch.callCount(), 0);
    assert.equal(errors().length, 1);
    assert.match(errors()[0], /0\.0\.9/);
  });

  test("is not what an element with that id is", async (context) => {
    const { window, entry } = await loadEntry(context, [], { webtools: new EventTarget() });
    assert.equal(window.webtools, entry.webtools);
  });
});
