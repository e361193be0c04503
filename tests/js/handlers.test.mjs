import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";

import { cancelled, failure } from "../../static/answers.js";
import { runHandler } from "../../static/handlers.js";
import { Progress } from "../../static/progress.js";
import { deferred, forbidWarnings, turn, verdict } from "./fakes.mjs";
import { newLoop } from "./loop.mjs";

forbidWarnings();

/** @typedef {import("../../static/handlers.js").Handler} Handler */

const LIMIT_MS = 60_000;

/** @param {AbortSignal} signal */
const listeners = (signal) => getEventListeners(signal, "abort").length;

/**
 * Runs a handler, and keeps what it was given.
 *
 * @param {Handler} handler
 * @param {{text?: string, signal?: AbortSignal, isCurrent?: () => boolean, ask?: import("../../static/handlers.js").Run["ask"]}} [options]
 */
function run(
  handler,
  { text = "{}", signal, isCurrent = () => true, ask = async () => "denied" } = {},
) {
  /** @type {any} */
  const given = {};
  const progress = new Progress((...report) => void reports.push(report));
  /** @type {any[][]} */
  const reports = [];
  const noting = (/** @type {any} */ input, /** @type {any} */ context) => {
    Object.assign(given, { input, context });
    return handler(input, context);
  };
  const ran = runHandler(noting, text, {
    tool: "a",
    definition: '{"title": "A"}',
    callId: "c1",
    signal,
    isCurrent,
    progress: progress.reporter("a", "c1", 0),
    ask,
  });
  return { ...ran, given, reports };
}

/** What the console is told from now on. @param {import("node:test").TestContext} context */
function printed(context) {
  /** @type {string[]} */
  const lines = [];
  for (const level of /** @type {const} */ (["error", "warn"])) {
    context.mock.method(console, level, (/** @type {string} */ line) => lines.push(line));
  }
  return lines;
}

/**
 * A handler that waits for the test, and so does the time.
 *
 * @param {import("node:test").TestContext} context
 * @param {AbortSignal} [signal]
 */
function waiting(context, signal) {
  const loop = newLoop(context);
  const inner = deferred();
  const ran = run(() => inner.promise, { signal });
  return { ...ran, inner, printed: printed(context), loop };
}

describe("a handler", () => {
  test("gets the input as it came, and what it may know of its call", () => {
    const { given } = run(() => 1, { text: '{"n": 1, "more": [null]}' });
    assert.deepEqual(given.input, { n: 1, more: [null] });
    assert.deepEqual(Object.keys(given.context), [
      "signal",
      "callId",
      "isCurrent",
      "ensureCurrent",
      "progress",
      "confirm",
    ]);
    assert.equal(given.context.callId, "c1");
    assert.equal(given.context.signal.aborted, false);
    assert.ok(Object.isFrozen(given.context));
  });

  test("that is sync is answered at once", () => {
    assert.deepEqual(run(() => ({ n: 1 })).answer, {
      content: [{ type: "text", text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
  });

  /** @type {Record<string, Handler>} */
  const async = {
    "is async": async () => "later",
    "returns a foreign promise": () => ({
      then: (/** @type {any} */ resolve) => void resolve("later"),
    }),
    "returns a promise of a promise": async () => Promise.resolve("later"),
  };
  for (const [name, handler] of Object.entries(async)) {
    test(`that ${name} is answered when it is done`, async () => {
      const { answer } = run(handler);
      assert.ok(answer instanceof Promise);
      assert.equal((await answer).content[0].text, "later");
    });
  }

  const soldOut = Object.assign(new Error("none left"), { code: "SOLD_OUT" });
  /** @type {Record<string, Handler>} */
  const failing = {
    "throws at once": () => {
      throw soldOut;
    },
    rejects: async () => {
      throw soldOut;
    },
    "returns a foreign promise that rejects": () => ({
      then: (/** @type {any} */ _, /** @type {any} */ reject) => void reject(soldOut),
    }),
    "returns a foreign promise that throws": () => ({
      then: () => {
        throw soldOut;
      },
    }),
    "returns what throws when it is looked at": () => ({
      get then() {
        throw soldOut;
      },
    }),
  };
  for (const [name, handler] of Object.entries(failing)) {
    test(`that ${name} is answered with its error`, async () => {
      assert.deepEqual(verdict(await run(handler).answer), ["SOLD_OUT", "unknown", false]);
    });
  }

  for (const text of ["", "{", "null", "7", '"text"', "[]", "true", "undefined"]) {
    test(`is not entered with ${text || "nothing"}, which is no JSON object`, () => {
      const { answer, given, end } = run(() => 1, { text });
      assert.deepEqual(verdict(answer), ["INVALID_TOOL_ARGS", "none", true]);
      assert.deepEqual(given, {});
      end(cancelled("unknown"));
    });
  }
});

describe("whether a call is current", () => {
  test("is asked each time", () => {
    let isCurrent = true;
    const { context } = run(() => 1, { isCurrent: () => isCurrent }).given;
    assert.equal(context.isCurrent(), true);
    context.ensureCurrent();
    isCurrent = false;
    assert.equal(context.isCurrent(), false);
    assert.throws(context.ensureCurrent, { code: "STALE_TOOL_CALL" });
  });

  test("ends a handler that ensures it with an error for the agent, and none for the console", async (context) => {
    const lines = printed(context);
    const handler = async (/** @type {any} */ _, /** @type {any} */ { ensureCurrent }) =>
      ensureCurrent();
    const { answer } = run(handler, { isCurrent: () => false });
    const stale = verdict(await answer);
    assert.deepEqual(stale, ["STALE_TOOL_CALL", "unknown", false]);
    assert.match((await answer).content[0].text, /^a belonged to a part of the page that is gone/);
    assert.deepEqual(lines, []);
  });
});

describe("progress", () => {
  test("is told while the handler runs, and not once the call has its answer", async () => {
    const inner = deferred();
    const { answer, given, reports } = run(async (_, { progress }) => {
      progress({ done: 1 });
      await inner.promise;
      progress({ done: 2 });
    });
    inner.resolve(undefined);
    await answer;
    given.context.progress({ done: 3 });
    assert.deepEqual(
      reports.map(([, , { done }]) => done),
      [1, 2],
    );
  });

  /** @type {Record<string, Handler>} */
  const ended = {
    "returned at once": () => "now",
    "threw at once": () => {
      throw Object.assign(new Error("m"), { code: "X" });
    },
  };
  for (const [how, handler] of Object.entries(ended)) {
    test(`moves nothing after a handler that ${how}`, () => {
      const { given, reports } = run(handler);
      given.context.progress({ done: 1 });
      assert.deepEqual(reports, []);
    });
  }

  test("moves nothing in a handler whose caller gave up, not even as it is told so", async () => {
    const caller = new AbortController();
    const handler = (/** @type {any} */ _, /** @type {any} */ { signal, progress }) => {
      signal.addEventListener("abort", () => progress({ message: "giving up" }));
      return new Promise(() => {});
    };
    const { answer, reports } = run(handler, { signal: caller.signal });
    caller.abort();
    await answer;
    assert.deepEqual(reports, []);
  });
});

describe("a caller that gives up", () => {
  test("while the handler runs is answered at once, and the handler is told", async (context) => {
    const caller = new AbortController();
    const { answer, given, inner, printed } = waiting(context, caller.signal);
    assert.equal(listeners(caller.signal), 1);
    caller.abort();
    assert.deepEqual(verdict(await answer), ["CANCELLED", "unknown", false]);
    assert.equal(given.context.signal.aborted, true);
    assert.equal(listeners(caller.signal), 0);
    inner.reject(new Error("late"));
    await turn();
    assert.deepEqual(printed, []);
  });

  test("in the handler's own first lines is answered, too", async () => {
    const caller = new AbortController();
    const handler = () => {
      caller.abort();
      return new Promise(() => {});
    };
    const { answer, given } = run(handler, { signal: caller.signal });
    assert.deepEqual(verdict(await answer), ["CANCELLED", "unknown", false]);
    assert.equal(given.context.signal.aborted, true);
    assert.equal(listeners(caller.signal), 0);
  });

  test("in the lines of a handler that is done changes nothing", () => {
    const caller = new AbortController();
    const { answer, given } = run(() => caller.abort(), { signal: caller.signal });
    assert.deepEqual(answer, { content: [{ type: "text", text: "done" }] });
    assert.equal(given.context.signal.aborted, false);
  });

  for (const [end, how] of /** @type {["resolve" | "reject", string][]} */ ([
    ["resolve", "its answer"],
    ["reject", "its error"],
  ])) {
    test(`after ${how} changes nothing, and no listener and no timer is left`, async (context) => {
      const caller = new AbortController();
      const { answer, given, inner, loop } = waiting(context, caller.signal);
      inner[end]({ code: "X", message: "m" });
      await answer;
      assert.deepEqual([listeners(caller.signal), loop.timers.size], [0, 0]);
      caller.abort();
      assert.equal(given.context.signal.aborted, false);
    });
  }
});

describe("the limit of a handler", () => {
  test("is a minute: then the call is answered, and the handler told", async (context) => {
    const caller = new AbortController();
    const { answer, given, loop } = waiting(context, caller.signal);
    await loop.advance(LIMIT_MS - 1);
    assert.equal(given.context.signal.aborted, false);
    await loop.advance(1);
    assert.deepEqual(verdict(await answer), ["TOOL_TIMEOUT", "unknown", false]);
    assert.match((await answer).content[0].text, /within 60 s/);
    assert.equal(given.context.signal.aborted, true);
    assert.equal(listeners(caller.signal), 0);
  });

  for (const end of /** @type {const} */ (["resolve", "reject"])) {
    test(`a handler that does ${end} later changes nothing and prints nothing`, async (context) => {
      const { answer, loop, inner, printed } = waiting(context);
      await loop.advance(LIMIT_MS);
      inner[end](() => "what JSON cannot hold");
      await turn();
      assert.equal(verdict(await answer)[0], "TOOL_TIMEOUT");
      assert.deepEqual(printed, []);
    });
  }

  test("is over with the handler", async (context) => {
    const { answer, given, loop, inner } = waiting(context);
    inner.resolve("in time");
    assert.equal((await answer).content[0].text, "in time");
    await loop.advance(LIMIT_MS);
    assert.equal(given.context.signal.aborted, false);
  });
});

describe("the end of a call from outside", () => {
  const gone = failure("UI_CONTEXT_CLOSED", "gone", "unknown");

  test("is its answer, and the handler is told", async (context) => {
    const { answer, end, given, inner, loop, printed } = waiting(context);
    end(gone);
    end(cancelled("unknown"));
    assert.equal(await answer, gone);
    assert.equal(loop.timers.size, 0);
    assert.equal(given.context.signal.aborted, true);
    inner.reject(new Error("late"));
    await turn();
    assert.deepEqual(printed, []);
  });

  test("does nothing once the handler is done", async (context) => {
    const { answer, end, given, inner } = waiting(context);
    inner.resolve("in time");
    assert.equal((await answer).content[0].text, "in time");
    end(gone);
    assert.equal(given.context.signal.aborted, false);
    run(() => 1).end(gone);
  });
});

describe("a handler that asks the person", () => {
  /**
   * Asks once, and is answered by the test.
   *
   * @param {import("node:test").TestContext} context
   * @param {Parameters<typeof run>[1]} [options]
   */
  function asking(context, options) {
    const loop = newLoop(context);
    const lines = printed(context);
    /** @type {{question: any, signal: AbortSignal, says: (outcome: string) => void}[]} */
    const asked = [];
    const ask = (/** @type {any} */ question, /** @type {AbortSignal} */ signal) => {
      const { promise, resolve } = deferred();
      asked.push({ question, signal, says: resolve });
      signal.addEventListener("abort", () => resolve(signal.reason));
      return promise;
    };
    const handler = async (/** @type {any} */ input, /** @type {any} */ { confirm }) => {
      input.amount = "forged";
      const said = await confirm("Pay now?");
      await turn();
      return `paid: ${said}`;
    };
    return { ...run(handler, { text: '{"amount": 3}', ask, ...options }), asked, loop, lines };
  }

  test("goes on with a yes, and the person was told the input as it came", async (context) => {
    const { answer, asked } = asking(context);
    const { question, says } = asked[0];
    const expected = { tool: "a", title: "A", message: "Pay now?", arguments: { amount: 3 } };
    assert.deepEqual(question, expected);
    says("allowed");
    assert.equal((await answer).content[0].text, "paid: true");
  });

  for (const [outcome, code] of [
    ["denied", "USER_DENIED"],
    ["dismissed", "USER_DENIED"],
    ["closed", "CONFIRMATION_UNAVAILABLE"],
    ["failed", "CONFIRMATION_UNAVAILABLE"],
    ["unavailable", "CONFIRMATION_UNAVAILABLE"],
    ["true", "CONFIRMATION_UNAVAILABLE"],
  ]) {
    test(`ends with ${code} where it is ${outcome}`, async (context) => {
      const { answer, asked, lines } = asking(context);
      asked[0].says(outcome);
      assert.deepEqual(verdict(await answer), [code, "unknown", false]);
      assert.deepEqual((await answer).structuredContent?.error.details, { reason: outcome });
      assert.deepEqual(lines, []);
    });
  }

  test("has its limit stand still meanwhile, and two minutes for asking", async (context) => {
    const { answer, asked, loop, end } = asking(context);
    await loop.advance(119_999);
    assert.equal(asked[0].signal.aborted, false);
    await loop.advance(1);
    assert.deepEqual(verdict(await answer), ["CONFIRMATION_UNAVAILABLE", "unknown", false]);
    assert.deepEqual((await answer).structuredContent?.error.details, { reason: "timeout" });
    assert.equal(loop.timers.size, 0);
    end(cancelled("unknown"));
  });

  test("has the rest of its limit afterwards", async (context) => {
    const loop = newLoop(context);
    const asked = deferred();
    const begin = deferred();
    const handler = async (/** @type {any} */ _, /** @type {any} */ { confirm }) => {
      await begin.promise;
      await confirm("Pay now?");
      await new Promise(() => {});
    };
    const { answer } = run(handler, { ask: () => asked.promise });
    await loop.advance(20_000);
    begin.resolve();
    await loop.advance(100_000);
    asked.resolve("allowed");
    let isAnswered = false;
    Promise.resolve(answer).then(() => (isAnswered = true));
    await loop.advance(39_999);
    assert.equal(isAnswered, false);
    await loop.advance(1);
    assert.deepEqual(verdict(await answer), ["TOOL_TIMEOUT", "unknown", false]);
  });

  test("is closed when the caller gives up, and no timer is left", async (context) => {
    const caller = new AbortController();
    const { answer, asked, loop } = asking(context, { signal: caller.signal });
    caller.abort();
    assert.deepEqual(verdict(await answer), ["CANCELLED", "unknown", false]);
    assert.equal(asked[0].signal.reason, "over");
    await turn();
    assert.equal(loop.timers.size, 0);
  });

  test("is closed when it has gone stale, and only then", async (context) => {
    let isCurrent = true;
    const { answer, asked, look, isAsking } = asking(context, { isCurrent: () => isCurrent });
    look();
    assert.equal(asked[0].signal.aborted, false);
    assert.equal(isAsking(), true);
    isCurrent = false;
    look();
    assert.deepEqual(verdict(await answer), ["UI_CONTEXT_CLOSED", "unknown", false]);
    assert.equal(isAsking(), false);
  });

  test("is refused a yes that came with its staleness, and asks nobody when it is stale", async (context) => {
    let isCurrent = true;
    const { answer, asked } = asking(context, { isCurrent: () => isCurrent });
    isCurrent = false;
    asked[0].says("allowed");
    assert.equal(verdict(await answer)[0], "STALE_TOOL_CALL");
    const ask = context.mock.fn(async () => "allowed");
    const handler = (/** @type {any} */ _, /** @type {any} */ { confirm }) => confirm("Pay?");
    const stale = run(handler, { isCurrent: () => isCurrent, ask });
    assert.equal(verdict(await stale.answer)[0], "STALE_TOOL_CALL");
    assert.equal(ask.mock.callCount(), 0);
  });

  test("after its answer asks nobody", async (context) => {
    const ask = context.mock.fn(async () => "allowed");
    const { answer, given } = run(() => "done", { ask });
    assert.equal((await answer).content[0].text, "done");
    await assert.rejects(given.context.confirm("Pay?"), { code: "CONFIRMATION_UNAVAILABLE" });
    assert.equal(ask.mock.callCount(), 0);
  });

  for (const message of ["", " ", undefined, 7]) {
    test(`must say what will happen, and ${JSON.stringify(message)} does not`, async () => {
      const { given } = run(() => "done");
      await assert.rejects(given.context.confirm(message), TypeError);
    });
  }
});
