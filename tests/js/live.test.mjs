import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { difference, fileOf, LivePage } from "../../webtools/cli/serving/live.mjs";
import { deferred, forbidWarnings, until } from "./fakes.mjs";
import { newPage } from "./page.mjs";

forbidWarnings();

const ORIGIN = "https://shop.example";

/** @param {Record<string, string>} tools descriptions, by their names */
const manifestOf = (tools) =>
  JSON.stringify({
    tools: Object.entries(tools).map(([name, description]) => ({
      definition: JSON.stringify({ name, description }),
    })),
  });

/**
 * A page whose app `/a.py` is up, and the dev server that it speaks with.
 *
 * @param {import("node:test").TestContext} context
 * @param {Record<string, (...args: any[]) => any>} [python]
 */
async function livePage(context, python = {}) {
  /** What the server answers next, by revision. @type {Record<string, any>} */
  const changes = {};
  /** @type {any[]} */
  const told = [];
  const made = newPage(context, {
    python: { manifest: () => manifestOf({ pay: "Pay." }), ...python },
  });
  const fetched = /** @type {any} */ (globalThis.fetch);
  context.mock.method(
    globalThis,
    "fetch",
    async (/** @type {string} */ url, /** @type {any} */ options) => {
      const since = url.split(`${ORIGIN}/webtools/live/changes?since=`)[1];
      if (since) {
        if (!changes[since]) throw new TypeError("the server has gone");
        return Response.json(changes[since]);
      }
      if (!url.endsWith("/live/told")) return fetched(url);
      told.push(JSON.parse(options.body));
      return new Response(null, { status: 204 });
    },
  );
  const reloads = context.mock.fn();
  made.window.location.reload = reloads;
  await made.host.start({ app: "/a.py" });
  return { ...made, live: new LivePage(made.host, "s.0"), changes, told, reloads: reloads.mock };
}

/** How often Python has loaded an app. @param {any[][]} calls */
const loads = (calls) => calls.filter(([name]) => name === "load").length;

describe("a page that follows the folder", () => {
  test("loads a changed app anew, and tells how its tools have changed", async (context) => {
    let manifest = manifestOf({ pay: "Pay.", search: "Search.", old: "Old." });
    const { live, changes, told, calls, reloads } = await livePage(context, {
      manifest: () => manifest,
    });
    manifest = manifestOf({ pay: "Pay now.", search: "Search.", fresh: "New." });
    changes["s.0"] = { revision: "s.1", files: ["a.py"] };
    await live.catchUp();
    assert.equal(loads(calls), 2);
    assert.equal(reloads.callCount(), 0);
    const { what, revision, differences } = told.at(-1);
    assert.deepEqual([what, revision], ["change", "s.1"]);
    assert.deepEqual(differences, [
      { file: "a.py", kept: ["search"], changed: ["pay"], added: ["fresh"], gone: ["old"] },
    ]);
  });

  test("tells of an app that does not load any more, and goes on from its mend", async (context) => {
    let problem = /** @type {string | undefined} */ (undefined);
    const { live, host, changes, told, errors } = await livePage(context, { load: () => problem });
    problem = JSON.stringify({ message: "/a.py, line 1: SyntaxError: no", traceback: "" });
    changes["s.0"] = { revision: "s.1", files: ["a.py"] };
    await live.catchUp();
    assert.deepEqual(told.at(-1).apps, [{ app: "a.py", reason: "/a.py, line 1: SyntaxError: no" }]);
    assert.deepEqual(told.at(-1).differences, []);
    assert.match(errors()[0], /SyntaxError/);
    problem = undefined;
    changes["s.1"] = { revision: "s.2", files: ["a.py"] };
    await live.catchUp();
    assert.equal(host.status, "ready");
    assert.deepEqual(told.at(-1).apps, [{ app: "a.py" }]);
    assert.deepEqual(told.at(-1).differences[0].kept, ["pay"]);
  });

  test("asks for what has changed once, however many pokes come while it takes them", async (context) => {
    const { live, changes, calls } = await livePage(context);
    changes["s.0"] = { revision: "s.1", files: ["a.py"] };
    changes["s.1"] = { revision: "s.1", files: [] };
    await Promise.all([live.catchUp(), live.catchUp(), live.catchUp()]);
    await live.catchUp();
    assert.equal(loads(calls), 2);
  });

  test("leaves alone what Python another page has", async (context) => {
    const { live, changes, calls, reloads } = await livePage(context);
    changes["s.0"] = { revision: "s.1", files: ["b.py"] };
    await live.catchUp();
    assert.equal(loads(calls), 1);
    assert.equal(reloads.callCount(), 0);
  });

  for (const [files, what] of /** @type {[string[] | null, string][]} */ ([
    [["shop.css"], "another file has changed"],
    [["a.py", "index.html"], "the app and another file have changed"],
    [null, "the server is another one"],
  ])) {
    test(`is loaded anew where ${what}`, async (context) => {
      const { live, changes, calls, reloads } = await livePage(context);
      changes["s.0"] = { revision: "s.1", files };
      live.catchUp();
      await until(() => reloads.callCount() === 1);
      assert.equal(loads(calls), 1);
    });
  }

  test("is not loaded anew while a call is in flight, but for a limited time", async (context) => {
    const states = [{ name: "pay", state: "registered", inFlight: 1, calls: 1 }];
    const { live, host, changes, reloads, limits } = await livePage(context, {
      states: () => JSON.stringify(states),
    });
    changes["s.0"] = { revision: "s.1", files: ["index.html"] };
    limits.length = 0;
    live.catchUp();
    await until(() => limits.length === 1);
    host.dispatchEvent(new CustomEvent("callend", { detail: {} }));
    assert.equal(reloads.callCount(), 0);
    states[0].inFlight = 0;
    host.dispatchEvent(new CustomEvent("callend", { detail: {} }));
    await until(() => reloads.callCount() === 1);
  });

  test("is loaded anew at last where a call does not end", async (context) => {
    const states = [{ name: "pay", state: "registered", inFlight: 1, calls: 1 }];
    const { live, changes, reloads, limits } = await livePage(context, {
      states: () => JSON.stringify(states),
    });
    changes["s.0"] = { revision: "s.1", files: ["index.html"] };
    limits.length = 0;
    live.catchUp();
    await until(() => limits.length === 1);
    limits[0]();
    await until(() => reloads.callCount() === 1);
  });

  test("leaves an app that waits for its first call until it is up", async (context) => {
    const { live, host, changes, calls, told } = await livePage(context);
    live.begin();
    const held = deferred();
    changes["s.0"] = { revision: "s.1", files: ["b.py"] };
    changes["s.1"] = { revision: "s.1", files: [] };
    const fetched = /** @type {any} */ (globalThis.fetch);
    context.mock.method(
      globalThis,
      "fetch",
      async (/** @type {string} */ url, /** @type {any} */ options) => {
        if (url.endsWith("/b.py")) await held.promise;
        return fetched(url, options);
      },
    );
    host.start({ app: "/b.py" });
    await live.catchUp();
    assert.equal(loads(calls), 1);
    held.resolve(undefined);
    await until(() => loads(calls) === 3);
    await until(() => told.at(-1).what === "change");
  });

  test("goes on when the server is back", async (context) => {
    const { live, changes, calls } = await livePage(context);
    await live.catchUp(); // nobody answers
    changes["s.0"] = { revision: "s.1", files: ["a.py"] };
    await live.catchUp();
    assert.equal(loads(calls), 2);
  });

  test("takes a change that comes while another one is taken after it", async (context) => {
    const { live, changes, calls, host } = await livePage(context);
    const held = deferred();
    const start = host.start;
    let isHeld = false;
    host.start = async (options) => {
      isHeld = true;
      await held.promise;
      return start(options);
    };
    changes["s.0"] = { revision: "s.1", files: ["a.py"] };
    const first = live.catchUp();
    await until(() => isHeld);
    changes["s.1"] = { revision: "s.2", files: ["a.py"] };
    const second = live.catchUp();
    held.resolve(undefined);
    await Promise.all([first, second]);
    assert.equal(loads(calls), 3);
  });
});

describe("what the terminal is told", () => {
  test("at first are the page's apps and tools, without anything of their calls", async (context) => {
    const { live, told } = await livePage(context, {
      states: () =>
        JSON.stringify([
          { name: "pay", state: "failed", reason: "r".repeat(2000), inFlight: 1, calls: 7 },
        ]),
    });
    live.begin();
    const tools = [{ name: "pay", state: "failed", reason: "r".repeat(1000) }];
    const rest = { page: "/", revision: "s.0", apps: [{ app: "a.py" }], differences: [] };
    assert.deepEqual(told, [{ what: "start", tools, ...rest }]);
  });

  test("later are an app that the page starts itself, and a tool that fails", async (context) => {
    const { live, host, told } = await livePage(context);
    live.begin();
    await host.start({ app: "/b.py" });
    await until(() => told.length === 2);
    assert.deepEqual(told[1].apps, [{ app: "a.py" }, { app: "b.py" }]);
    const detail = { tool: "pay", state: "failed" };
    host.dispatchEvent(new CustomEvent("toolstate", { detail }));
    assert.equal(told[2].what, "problem");
  });
});

test("a file is called what it is called in the folder", (context) => {
  newPage(context);
  assert.equal(fileOf(`${ORIGIN}/apps/a%20b.py?v=1#x`), "apps/a b.py");
  assert.equal(fileOf("https://cdn.example/a.py"), "https://cdn.example/a.py");
  assert.equal(fileOf("no URL"), "no URL");
});

test("an app that had no tools before, or has none now, has only new ones, or ones that are gone", () => {
  const none = { kept: [], changed: [], added: [], gone: [] };
  assert.deepEqual(difference(undefined, undefined), none);
  assert.deepEqual(difference(undefined, manifestOf({ a: "A" })), { ...none, added: ["a"] });
  assert.deepEqual(difference(manifestOf({ a: "A" }), undefined), { ...none, gone: ["a"] });
});
