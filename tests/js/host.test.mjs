import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { inspect } from "node:util";

import { Host } from "../../static/host.js";
import {
  answerText,
  deferred,
  fakeContext,
  fakeDocument,
  forbidWarnings,
  turn,
  until,
  verdict,
} from "./fakes.mjs";
import { newPage, responding, RUNTIME } from "./page.mjs";

forbidWarnings();

const A = { app: "/a.py" };
const B = { app: "/b.py" };

/** The message that a start rejects with. @param {Promise<unknown>} start @returns {Promise<string>} */
const failureOf = (start) =>
  start.then(
    () => assert.fail("it did not fail"),
    (error) => error.message,
  );

/** Python whose `load` finds a fault in one app. @param {string} url */
const refusing = (url) => ({
  load: (/** @type {string} */ app) =>
    app.endsWith(url)
      ? JSON.stringify({ message: `${url}, line 1: no`, traceback: "Traceback: no" })
      : undefined,
});

/** Everything that a host fires, from now on. @param {Host} host */
function record(host) {
  /** @type {any[]} */
  const events = [];
  for (const type of ["status", "toolstate", "callstart", "callprogress", "callend"]) {
    host.addEventListener(type, (event) => events.push([type, /** @type {any} */ (event).detail]));
  }
  return events;
}

describe("start", () => {
  test("asks for an app without the user and password of the page's address", async (context) => {
    const { host, calls } = newPage(context);
    const page = /** @type {any} */ (globalThis);
    page.document.baseURI = "https://ada:hunter2@shop.example/?key=1";
    await host.start(A);
    assert.deepEqual(calls, [["load", "https://shop.example/a.py", "# a"]]);
  });

  test("brings Python up, hands it the app's source, and is ready", async (context) => {
    const { host, calls, pyodide, errors } = newPage(context);
    const events = record(host);
    assert.equal(host.status, "loading");
    await host.start(A);
    assert.equal(host.status, "ready");
    assert.deepEqual(calls, [["load", "https://shop.example/a.py", "# a"]]);
    assert.deepEqual(pyodide.started[0].slice(1), [false, "memory"]);
    assert.deepEqual(events, [["status", { status: "ready" }]]);
    assert.deepEqual(errors(), []);
    await host.ready;
  });

  test("can be taken off the host, as its other functions can", async (context) => {
    const { start, call, tools, expose } = newPage(context).host;
    await start(A);
    expose("shop", {});
    assert.equal((await call("a", {})).isError, undefined);
    assert.deepEqual(tools(), []);
  });

  test("keeps what has become of each app, its newest start", async (context) => {
    let problem = /** @type {string | undefined} */ (undefined);
    const { host } = newPage(context, {
      python: { load: () => problem, manifest: () => `{"tools": []}` },
    });
    const first = host.start(A);
    assert.deepEqual(host.apps(), [
      { app: "https://shop.example/a.py", status: "loading", options: A },
    ]);
    await first;
    problem = JSON.stringify({ message: "/a.py, line 1: no", traceback: "" });
    await assert.rejects(host.start({ ...A, debug: true }));
    assert.match(await failureOf(host.start(/** @type {any} */ ({ app: "" }))), /no app/);
    const options = { ...A, debug: true };
    const kept = { manifest: `{"tools": []}`, options };
    const [a, nothing] = host.apps();
    assert.deepEqual(a, {
      ...{ app: "https://shop.example/a.py", status: "failed" },
      ...{ reason: "/a.py, line 1: no", ...kept },
    });
    assert.equal(nothing.status, "failed");
    problem = undefined;
    await host.start(options);
    assert.deepEqual(host.apps()[0], { app: a.app, status: "ready", ...kept });
  });

  test("hands Python an app's archive, and the module that is its entry", async (context) => {
    const bytes = Uint8Array.of(80, 75);
    const { host, calls } = newPage(context, {
      files: { "https://shop.example/shop.zip": () => new Response(bytes) },
      python: { load_archive: () => undefined },
    });
    await host.start({ app: "/shop.zip", entry: "shop.tools" });
    assert.deepEqual(calls.at(-1), [
      ...["load_archive", "https://shop.example/shop.zip", bytes, "shop.tools"],
    ]);
  });

  test("of an app whose packages cannot be had does not load it, and tells its early calls", async (context) => {
    const { host, calls } = newPage(context, { python: { give_up: () => undefined } });
    const failure = await failureOf(host.start({ ...A, packages: "humanize" }));
    assert.match(
      failure,
      /data-packages: the index file:.*static\/packages\/ is on another origin/,
    );
    assert.deepEqual(calls.at(-1), ["give_up", "https://shop.example/a.py", failure]);
    assert.equal(host.status, "failed");
  });

  test("loads apps one after another, in one interpreter", async (context) => {
    const slow = deferred();
    const { host, calls, loadPyodide } = newPage(context, {
      files: { "https://shop.example/a.py": () => slow.promise },
    });
    const all = host.startAll([A, B]);
    await turn();
    assert.equal(calls.length, 0);
    slow.resolve(new Response("# late"));
    await all;
    assert.deepEqual(
      calls.map(([, url]) => url),
      ["https://shop.example/a.py", "https://shop.example/b.py"],
    );
    assert.equal(loadPyodide.callCount(), 1);
  });

  test("of one app that fails does not stop the next; it is ready when all are done", async (context) => {
    const slow = deferred();
    const { host, calls, errors } = newPage(context, {
      python: refusing("/a.py"),
      files: { "https://shop.example/b.py": () => slow.promise },
    });
    let isDone = false;
    const done = failureOf(host.startAll([A, B])).finally(() => (isDone = true));
    await until(() => errors().length);
    await turn();
    assert.deepEqual([isDone, host.status], [false, "loading"]);
    slow.resolve(new Response("# b"));
    assert.equal(await done, "/a.py, line 1: no");
    assert.equal(await failureOf(host.ready), "/a.py, line 1: no");
    assert.deepEqual([calls.length, host.status], [2, "failed"]);
    assert.deepEqual(errors(), ["webtools: /a.py, line 1: no\nTraceback: no"]);
  });

  test("after a failure may succeed: the page is ready again, `ready` keeps its outcome", async (context) => {
    let isBroken = true;
    const { host } = newPage(context, {
      python: {
        load: () => (isBroken ? JSON.stringify({ message: "no", traceback: "" }) : undefined),
      },
    });
    const events = record(host);
    await failureOf(host.start(A));
    isBroken = false;
    await host.start(A);
    assert.equal(await failureOf(host.ready), "no");
    await turn();
    assert.deepEqual(
      events.map(([, detail]) => detail),
      [{ status: "failed", reason: "no" }, { status: "loading" }, { status: "ready" }],
    );
  });

  test("tries to boot again after a boot that failed", async (context) => {
    const page = newPage(context);
    const { host, loadPyodide, pyodide } = page;
    loadPyodide.mockImplementation(() => Promise.reject(new Error("no memory")));
    assert.match(await failureOf(host.start(A)), /could not be started \(Error: no memory\)/);
    assert.deepEqual(host.tools(), []);
    assert.deepEqual(verdict(await host.call("a", {})), ["HOST_FAILED", "none", false]);
    loadPyodide.mockImplementation(async () => pyodide);
    await host.start(A);
    assert.equal(host.status, "ready");
  });

  test("that shares a boot with others shares its failure, and the console is told once", async (context) => {
    let attempts = 0;
    const lost = () => {
      attempts += 1;
      return new Response("", { status: 404 });
    };
    const { host, errors } = newPage(context, { files: { [`${RUNTIME}stdlib-1.zip`]: lost } });
    const all = host.startAll([A, B]);
    assert.match(await failureOf(all), /stdlib-1\.zip/);
    assert.equal(attempts, 1);
    assert.equal(errors().length, 1);
  });

  test("while another one runs keeps the page loading until both are done", async (context) => {
    const { host } = newPage(context, { python: refusing("/a.py") });
    const first = failureOf(host.start(A));
    const second = host.start(B);
    await first;
    await second;
    assert.equal(host.status, "failed");
    await host.start({ ...B });
    assert.equal(host.status, "ready");
  });

  for (const [name, options, message] of /** @type {[string, any, RegExp][]} */ ([
    ["nothing", undefined, /no app/],
    ["an empty app", { app: " " }, /no app/],
    ["an app that is no URL", { app: "http://[" }, /data-app="http:\/\/\[" is no URL/],
    [
      "a runtime that is no URL",
      { ...A, runtime: "http://[" },
      /data-runtime="http:\/\/\[" is no URL/,
    ],
    ["an archive without its entry", { app: "/a.zip" }, /data-entry="pkg\.module"/],
    ["an entry of one file", { ...A, entry: "a" }, /is for an archive/],
    ["an unknown polyfill", { ...A, polyfill: "maybe" }, /auto, force or off/],
  ])) {
    test(`with ${name} fails before anything is loaded`, async (context) => {
      const { host, fetch, loadPyodide, errors } = newPage(context);
      assert.match(await failureOf(host.start(options)), message);
      assert.deepEqual([fetch.callCount(), loadPyodide.callCount(), host.status], [0, 0, "failed"]);
      assert.equal(errors().length, 1);
      assert.doesNotMatch(errors()[0], /webtools: webtools/);
    });
  }

  test("takes another runtime and debug from its options", async (context) => {
    const other = RUNTIME.replace(/\/$/, "");
    const { host, pyodide, loadPyodide } = newPage(context);
    await host.start({ ...A, runtime: other, debug: true });
    assert.equal(pyodide.started[0][1], true);
    assert.equal(loadPyodide.calls[0].arguments[0].indexURL, RUNTIME);
  });

  test("whatever a broken runtime throws is one error that says what to do", async (context) => {
    const { host, errors, pyodide } = newPage(context);
    pyodide.pyimport = () => {
      throw new TypeError("pyimport is broken");
    };
    await failureOf(host.start(A));
    assert.deepEqual(errors(), [
      "webtools: Python could not be started (TypeError: pyimport is broken). Reload the page.",
    ]);
  });

  test("of a page that is HTML, as a server answers for what it does not know, says so", async (context) => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    const { host } = newPage(context, {
      files: { "https://shop.example/a.py": responding("<!doctype html>", { headers }) },
    });
    assert.match(
      await failureOf(host.start(A)),
      /is an HTML page, not Python\. Is the path in data-app right/,
    );
  });

  test("without an app that is there names the URL, the status and the cure", async (context) => {
    const { host } = newPage(context);
    assert.equal(
      await failureOf(host.start({ app: "/no.py" })),
      "https://shop.example/no.py could not be loaded (HTTP 404). " +
        "Is the path in data-app right? It is resolved against the page's address.",
    );
  });

  test("that nobody waits for is never an unhandled rejection", async (context) => {
    const { host } = newPage(context);
    for (const app of ["/no.py", "/nor-this.py"]) {
      host.start({ app });
      await until(() => host.status === "failed");
      await turn();
    }
  });
});

describe("call", () => {
  test("gives the answer of Python's call_named", async (context) => {
    const { host, calls } = newPage(context, { python: { call_named: () => answerText("hello") } });
    await host.start(A);
    assert.deepEqual(await host.call("greet", { name: "Ada" }), JSON.parse(answerText("hello")));
    assert.deepEqual(calls.at(-1)?.slice(0, 2), ["call_named", "greet"]);
    assert.equal(calls.at(-1)?.[3], '{"name":"Ada"}');
  });

  test("waits while Python is loading, and leaves nothing behind", async (context) => {
    const { host, calls } = newPage(context);
    const { signal } = new AbortController();
    const answer = host.call("a", {}, { signal });
    await turn();
    assert.deepEqual(calls, []);
    await host.start(A);
    assert.equal((await answer).content[0].text, "done");
    assert.equal(getEventListeners(host, "status").length, 0);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("that waits is answered when the start failed", async (context) => {
    const { host } = newPage(context);
    const answer = host.call("a", {});
    host.start({ app: "/no.py", runtime: "https://shop.example/nowhere/" });
    const { content } = await answer;
    assert.deepEqual(verdict(await answer), ["HOST_FAILED", "none", false]);
    assert.match(content[0].text, /nowhere\/runtime.* could not be loaded/);
  });

  test("does not wait on a page that has loaded and started nothing", async (context) => {
    const { host, document, limits } = newPage(context);
    document.readyState = "complete";
    assert.equal(verdict(await host.call("nope", {}))[0], "TOOL_NOT_FOUND");
    assert.equal(limits.length, 0);
  });

  test("that waits longer than a minute is answered TOOL_TIMEOUT", async (context) => {
    const { host, calls } = newPage(context);
    context.mock.restoreAll();
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const answer = host.call("a", {});
    let isSettled = false;
    answer.then(() => (isSettled = true));
    context.mock.timers.tick(59_999);
    await turn();
    assert.equal(isSettled, false);
    context.mock.timers.tick(1);
    assert.deepEqual(verdict(await answer), ["TOOL_TIMEOUT", "none", false]);
    assert.equal(getEventListeners(host, "status").length, 0);
    assert.deepEqual(calls, []);
  });

  test("that waits is answered at once when its caller gives up, before or meanwhile", async (context) => {
    const { host } = newPage(context);
    const controller = new AbortController();
    const meanwhile = host.call("a", {}, { signal: controller.signal });
    controller.abort();
    assert.deepEqual(verdict(await meanwhile), ["CANCELLED", "none", false]);
    const before = await host.call("a", {}, { signal: AbortSignal.abort() });
    assert.deepEqual(verdict(before), ["CANCELLED", "none", false]);
    assert.equal(getEventListeners(host, "status").length, 0);
  });

  for (const [options, said] of /** @type {[any, RegExp][]} */ ([
    [{ sessionID: "s1" }, /webtools.call: there is no option sessionID; there is sessionId, /],
    ["s1", /webtools.call: the options must be an object/],
    [{ identity: () => {} }, /identity is a function, which JSON cannot hold/],
    [{ sessionId: Symbol("s1") }, /sessionId is a symbol, which JSON cannot hold/],
    [{ iteration: NaN }, /iteration is NaN, which JSON cannot hold/],
  ])) {
    test(`refuses the options ${inspect(options)}, and calls nothing`, async (context) => {
      const { host, calls } = newPage(context);
      const answer = await host.call("a", {}, options);
      assert.deepEqual(verdict(answer), ["INVALID_TOOL_ARGS", "none", true]);
      assert.match(answer.content[0].text, said);
      assert.deepEqual(calls, []);
    });
  }

  test("works though one of the page's apps failed", async (context) => {
    const { host } = newPage(context, { python: refusing("/a.py") });
    await failureOf(host.startAll([A, B]));
    assert.equal((await host.call("b", {})).content[0].text, "done");
  });

  for (const [name, args] of /** @type {[string, any[]][]} */ ([
    ["no arguments", []],
    ["null for options", ["a", {}, null]],
    ["null for a signal", ["a", {}, { signal: null }]],
    ["a symbol for a name", [Symbol("a"), {}]],
    ["a name that has no text", [Object.create(null), {}]],
    ["a signal that is none", ["a", {}, { signal: 5 }]],
    ["an input that is cyclic", ["a", globalThis]],
  ])) {
    test(`never rejects, also with ${name}, before Python is up or after`, async (context) => {
      const { host } = newPage(context, { python: { call_named: () => answerText("done") } });
      const early = host.call(.../** @type {[any]} */ (args));
      await host.start(A);
      assert.ok((await early).content.length);
      assert.ok((await host.call(.../** @type {[any]} */ (args))).content.length);
    });
  }
});

describe("where the page is", () => {
  test("Python knows before it loads an app, and after each move, until it dies", async (context) => {
    const { host, calls, pyodide, window } = newPage(context, { python: { moved: () => {} } });
    await host.start(A);
    const { location, history } = window;
    location.pathname = "/cart/1";
    history.pushState(null, "", "/cart/1");
    await turn();
    assert.deepEqual(calls, [
      ["moved", "/", ""],
      ["load", "https://shop.example/a.py", "# a"],
      ["moved", "/cart/1", ""],
    ]);
    pyodide._api.on_fatal?.(new Error("out of memory"));
    window.dispatchEvent(new Event("popstate"));
    location.pathname = "/";
    await turn();
    assert.equal(calls.length, 3);
    assert.deepEqual(getEventListeners(window, "popstate"), []);
  });

  test("Python may die of it: the page says so, and watches no more", async (context) => {
    const moved = () => {
      throw new Error("out of memory");
    };
    const { host, errors, window } = newPage(context, { python: { moved } });
    assert.match(await failureOf(host.start(A)), /Python died/);
    assert.equal(errors().length, 1);
    assert.deepEqual(getEventListeners(window, "popstate"), []);
  });
});

describe("Python that dies", () => {
  const dying = {
    call_named: () => {
      throw new Error("out of memory");
    },
  };

  test("answers its call, fails the page with one error, and stays dead", async (context) => {
    const { host, errors, calls } = newPage(context, { python: dying });
    const events = record(host);
    await host.start(A);
    assert.deepEqual(verdict(await host.call("a", {})), ["HOST_FAILED", "unknown", false]);
    assert.equal(host.status, "failed");
    const count = calls.length;
    assert.deepEqual(verdict(await host.call("a", {})), ["HOST_FAILED", "none", false]);
    assert.deepEqual(host.tools(), []);
    assert.equal(calls.length, count);
    const reason = "Python died (Error). Reload the page.";
    assert.deepEqual(errors(), [`webtools: ${reason}\nError: out of memory`]);
    const statuses = events.filter(([type]) => type === "status").map(([, detail]) => detail);
    assert.deepEqual(statuses, [{ status: "ready" }, { status: "failed", reason }]);
    assert.equal(await failureOf(host.start(B)), reason);
  });

  test("in a turn of its own event loop answers the calls in flight, and is told once", async (context) => {
    const { host, errors, pyodide } = newPage(context, { python: { call_named: () => undefined } });
    await host.start(A);
    const call = host.call("a", {});
    await turn();
    pyodide._api.on_fatal?.(new RangeError("Maximum call stack size exceeded"));
    pyodide._api.on_fatal?.(new RangeError("again"));
    assert.deepEqual(verdict(await call), ["HOST_FAILED", "unknown", false]);
    assert.equal(host.status, "failed");
    assert.equal(errors().length, 1);
  });

  test("while it loads an app fails that start, with one error", async (context) => {
    const { host, errors } = newPage(context, {
      python: {
        load: () => {
          throw new Error("out of memory");
        },
      },
    });
    assert.match(await failureOf(host.start(A)), /Python died/);
    assert.match(await failureOf(host.ready), /Python died/);
    assert.equal(host.status, "failed");
    assert.equal(errors().length, 1);
  });

  test("fails the apps that are still to come", async (context) => {
    const slow = deferred();
    const { host, calls, pyodide } = newPage(context, {
      python: dying,
      files: { "https://shop.example/b.py": () => slow.promise },
    });
    await host.start(A);
    const second = host.start(B);
    await until(() => host.status === "loading");
    const execute = host.call("a", {});
    // Python's own call, which does not wait for the second app, kills it
    pyodide.started[0][0].callTool(1, "a", "{}", "{}");
    slow.resolve(new Response("# b"));
    assert.match(await failureOf(second), /Python died/);
    assert.deepEqual(verdict(await execute), ["HOST_FAILED", "none", false]);
    assert.equal(calls.filter(([name]) => name === "load").length, 1);
  });
});

describe("events", () => {
  test("are fired in a microtask, with the tool, the call and what became of it", async (context) => {
    const error = { code: "SOLD_OUT", message: "none left" };
    const refusal = { content: [], structuredContent: { error }, isError: true };
    const answers = [answerText("done"), JSON.stringify(refusal)];
    const { host } = newPage(context, { python: { call_named: () => answers.shift() } });
    await host.start(A);
    const events = record(host);
    const first = host.call("a", {});
    assert.equal(events.length, 0, "not in the call itself");
    await first;
    await host.call("b", {});
    await turn();
    const [start, end, , refused] = events;
    const { callId, ms } = end[1];
    assert.deepEqual(start, ["callstart", { tool: "a", callId }]);
    const answer = JSON.parse(answerText("done"));
    assert.deepEqual(end, ["callend", { tool: "a", callId, outcome: "done", ms, answer }]);
    assert.ok(ms >= 0);
    const { callId: id, ms: took } = refused[1];
    assert.deepEqual(refused, [
      "callend",
      { tool: "b", callId: id, outcome: "error", code: "SOLD_OUT", ms: took, answer: refusal },
    ]);
    assert.notEqual(id, callId);
  });

  test("tell of a tool's state, with the browser's reason where it failed", async (context) => {
    const page = newPage(context, {
      modelContext: fakeContext(() => {
        throw new DOMException("it is taken", "InvalidStateError");
      }),
      python: {
        load: () => page.pyodide.started[0][0].register(1, '{"name": "a"}'),
        rejected: (_, reason) => page.pyodide.started[0][0].toolState("a", "failed", reason),
      },
    });
    const events = record(page.host);
    await page.host.start(A);
    await until(() => events.length === 2);
    assert.deepEqual(
      events.find(([type]) => type === "toolstate"),
      ["toolstate", { tool: "a", state: "failed", reason: "InvalidStateError: it is taken" }],
    );
  });
});

describe("the model context", () => {
  test("is the browser's own where there is one", async (context) => {
    const modelContext = fakeContext();
    const page = newPage(context, { modelContext });
    await page.host.start(A);
    const [[border]] = page.pyodide.started;
    border.register(1, '{"name": "a", "description": "d", "inputSchema": {}}');
    assert.equal(modelContext.registered[0].tool.name, "a");
  });

  test("W10: is missing with the polyfill off: one warning, and calls by name work", async (context) => {
    const { host, pyodide, warnings, document } = newPage(context);
    document.modelContext = undefined;
    await host.start({ ...A, polyfill: "off" });
    assert.deepEqual(pyodide.started[0].slice(1), [false, "memory"]);
    assert.equal(warnings().length, 1);
    assert.match(warnings()[0], /no document\.modelContext.*data-polyfill="auto"/);
    assert.equal((await host.call("a", {})).isError, undefined);
  });

  test("is the page's own where that comes when Python is up, and Python is told", async (context) => {
    const { host, document, calls, errors } = newPage(context, {
      python: { attach_context: () => undefined },
    });
    document.modelContext = undefined;
    await host.start({ ...A, polyfill: "off" });
    assert.equal(calls.filter(([name]) => name === "attach_context").length, 0);
    document.modelContext = fakeContext();
    host.define({ name: "a", description: "d" }, () => {});
    assert.deepEqual(calls.at(-1), ["attach_context"]);
    assert.deepEqual([host.status, errors()], ["ready", []]);
  });

  for (const [polyfill, hasNative] of /** @type {["auto" | "force", boolean][]} */ ([
    ["auto", false],
    ["force", true],
  ])) {
    test(`is the polyfill's with "${polyfill}" and ${hasNative ? "a" : "no"} native one`, async (context) => {
      const native = hasNative ? fakeContext() : undefined;
      const { host, document } = newPage(context, { modelContext: native });
      const { defaultView } = fakeDocument();
      Object.setPrototypeOf(document, defaultView.Document.prototype);
      document.defaultView = Object.assign(defaultView, { document });
      document.querySelector = () => null;
      document.querySelectorAll = () => [];
      await host.start({ ...A, polyfill });
      assert.notEqual(document.modelContext, native);
      assert.equal(typeof document.modelContext.registerTool, "function");
    });
  }
});

describe("expose", () => {
  test("lets Python call what is exposed, also later and anew", async (context) => {
    const { host, pyodide } = newPage(context);
    host.expose("shop", { total: () => 1 });
    await host.start(A);
    const [[border]] = pyodide.started;
    assert.equal(border.callPage(1, "shop", "total", "[]"), '{"value":1}');
    host.expose("shop", { total: () => 2 });
    assert.equal(border.callPage(1, "shop", "total", "[]"), '{"value":2}');
  });

  for (const args of [[], [""], [5, {}], ["shop"], ["shop", null], ["shop", () => 1]]) {
    test(`refuses ${args.map(String).join(", ") || "nothing"} with a TypeError`, (context) => {
      const { host } = newPage(context);
      assert.throws(() => host.expose(.../** @type {[any, any]} */ (args)), TypeError);
    });
  }
});

describe("credentialsWith", () => {
  test("lets Python ask the page, from its start on", async (context) => {
    const { host, calls } = newPage(context, { python: { provide: () => {} } });
    host.credentialsWith(() => null);
    await host.start(A);
    assert.deepEqual(
      calls.filter(([name]) => name === "provide"),
      [["provide", true]],
    );
  });

  for (const provide of [undefined, "Bearer x", { headers: {} }]) {
    test(`refuses ${JSON.stringify(provide)} with a TypeError that says what it takes`, (context) => {
      const { host } = newPage(context);
      const refused = () => host.credentialsWith(/** @type {any} */ (provide));
      assert.throws(refused, { name: "TypeError", message: /give a function that gives headers/ });
    });
  }
});

describe("endRun and endSession", () => {
  test("have nothing to end without Python, and refuse an id that is none", async (context) => {
    const { host } = newPage(context);
    await host.endRun("r1");
    await host.endSession("s1");
    await assert.rejects(host.endRun(""), TypeError);
    await assert.rejects(host.endSession(/** @type {any} */ (5)), TypeError);
  });
});
