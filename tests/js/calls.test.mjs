import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";

import { failure, hostFailed } from "../../static/answers.js";
import { Calls } from "../../static/calls.js";
import { answerText, deferred, forbidWarnings, turn, UNREADABLE, verdict } from "./fakes.mjs";

forbidWarnings();

/** @typedef {(callId: string, text: string) => string | number | undefined} Enter */

/** A keeper that answers later: `settle` does. @type {Enter} */
const later = () => undefined;

/** A keeper that answers at once. @type {Enter} */
const atOnce = () => answerText("done");

/** @param {AbortSignal} signal */
const listeners = (signal) => getEventListeners(signal, "abort").length;

/** @param {import("../../static/answers.js").Answer} answer */
const textOf = (answer) => answer.content[0].text;

/**
 * Calls of a tool called "a".
 *
 * @param {object} [options]
 * @param {Enter} [options.enter]
 * @param {(input: any, context: any) => any} [options.handler] of every wish
 * @param {() => Promise<void> | undefined} [options.show] shows what a handler is called with
 */
function newCalls({ enter = atOnce, handler = () => "handled", show = () => undefined } = {}) {
  /** What was told and asked for, but for the texts. @type {any[][]} */
  const told = [];
  /** What the keeper was given. @type {string[]} */
  const texts = [];
  /** @type {string[]} */
  const ids = [];
  const note =
    (/** @type {string} */ what) =>
    (/** @type {any[]} */ ...args) =>
      void told.push([what, ...args]);
  const calls = new Calls({
    wish: (number) => ({ number, name: "a", handler, holder: "" }),
    countOut: note("out"),
    isCurrent: (callId) => callId === ids.at(-1),
    abort: note("abort"),
    ask: async () => "allowed",
    onInput: () => {},
    show,
    onCallStart: (tool, callId) => (ids.push(callId), note("start")(tool, callId)),
    onCallProgress: note("progress"),
    onCallEnd: note("end"),
  });
  const noting = (/** @type {string} */ callId, /** @type {string} */ text) => {
    texts.push(text);
    return enter(callId, text);
  };
  const run = (/** @type {unknown} */ input = {}, /** @type {any} */ signal = undefined) =>
    calls.run("a", input, signal, noting);
  const what = () => told.map(([each]) => each);
  return { calls, run, told, what, texts, ids };
}

describe("the input", () => {
  for (const [input, text] of /** @type {[unknown, string][]} */ ([
    [{ x: [1, null, "靴"] }, '{"x":[1,null,"靴"]}'],
    ['{"x": "0042"}', '{"x": "0042"}'], // as browsers up to 154 give it
    [undefined, "{}"],
    [null, "null"],
    [Symbol("x"), "null"],
    [() => 1, "null"],
    [NaN, "null"],
    [7, "7"],
  ])) {
    test(`${typeof input} is handed over as ${text}, for the keeper to judge`, async () => {
      const { calls, texts } = newCalls();
      await calls.run("a", input, undefined, (_, given) => (texts.push(given), answerText("")));
      assert.deepEqual(texts, [text]);
    });
  }

  /** @type {any} */
  const cycle = {};
  cycle.self = cycle;
  for (const [name, input] of Object.entries({ cycle, bigint: { n: 1n } })) {
    test(`that JSON cannot hold (${name}) is answered without the keeper`, async () => {
      const { run, texts } = newCalls();
      const answer = await run(input);
      assert.deepEqual(verdict(answer), ["INVALID_TOOL_ARGS", "none", true]);
      assert.match(textOf(answer), /TypeError/);
      assert.deepEqual(texts, []);
    });
  }

  for (const thrown of UNREADABLE) {
    test(`that throws ${typeof thrown} when it is read rejects nothing`, async () => {
      const toJSON = () => {
        throw thrown;
      };
      assert.equal(verdict(await newCalls().run({ toJSON }))[0], "INVALID_TOOL_ARGS");
    });
  }
});

describe("a call", () => {
  test("that is answered at once is there at once", () => {
    assert.deepEqual(newCalls().run(), JSON.parse(answerText("done")));
  });

  test("has an id of its own, also on another page", async () => {
    const [first, second] = [newCalls(), newCalls()];
    for (let count = 0; count < 50; count += 1) await first.run();
    await second.run();
    assert.equal(new Set([...first.ids, ...second.ids]).size, 51);
  });

  test("is told of when it starts, and when it ends with its answer and the time it took", async () => {
    const { calls, run, told, ids } = newCalls({ enter: later });
    const answer = run();
    assert.deepEqual(told, [["start", "a", ids[0]]]);
    calls.settle(ids[0], JSON.parse(answerText("late")));
    const given = await answer;
    const [, [what, tool, callId, answered, ms]] = told;
    assert.deepEqual([what, tool, callId, answered], ["end", "a", ids[0], given]);
    assert.ok(Number(ms) >= 0);
  });

  test("is told of when it ends, though it was refused before the keeper heard of it", async () => {
    const { run, what } = newCalls();
    await run({ n: 1n });
    assert.deepEqual(what(), ["start", "end"]);
  });

  test("with a signal that is none is refused", async () => {
    const { run, texts } = newCalls();
    assert.deepEqual(verdict(await run({}, 5)), ["INVALID_TOOL_ARGS", "none", true]);
    assert.deepEqual(texts, []);
  });

  test("whose keeper throws is answered all the same", async () => {
    const { run } = newCalls({
      enter: () => {
        throw new Error("no");
      },
    });
    assert.deepEqual(verdict(await run()), ["HOST_FAILED", "unknown", false]);
  });
});

describe("a call that Python answers later", () => {
  test("settles once, by its id, whatever comes after", async () => {
    const { calls, run, ids } = newCalls({ enter: later });
    const [first, second] = [run(), run()];
    const settle = (/** @type {string} */ callId, /** @type {string} */ text) =>
      calls.settle(callId, JSON.parse(answerText(text)));
    settle(ids[1], "two");
    settle(ids[0], "one");
    settle(ids[0], "again");
    settle("unknown", "nobody");
    assert.deepEqual((await Promise.all([first, second])).map(textOf), ["one", "two"]);
  });

  test("is aborted before: the keeper does not hear of it", async () => {
    const { run, texts } = newCalls();
    assert.deepEqual(verdict(await run({}, AbortSignal.abort())), ["CANCELLED", "none", false]);
    assert.deepEqual(texts, []);
  });

  test("is aborted while it runs: the keeper is told once, and has the last word", async () => {
    const { calls, run, told, ids } = newCalls({ enter: later });
    const controller = new AbortController();
    const answer = run({}, controller.signal);
    assert.equal(listeners(controller.signal), 1);
    controller.abort();
    assert.deepEqual(told.slice(1), [["abort", ids[0]]]);
    calls.settle(ids[0], JSON.parse(answerText("cancelled")));
    assert.equal(textOf(await answer), "cancelled");
    assert.equal(listeners(controller.signal), 0);
  });

  test("is aborted by the first lines of its own handler: the keeper is told all the same", async () => {
    const controller = new AbortController();
    const { calls, run, what, ids } = newCalls({ enter: () => void controller.abort() });
    const answer = run({}, controller.signal);
    assert.deepEqual(what(), ["start", "abort"]);
    calls.settle(ids[0], JSON.parse(answerText("cancelled")));
    assert.equal(textOf(await answer), "cancelled");
  });

  test("is aborted after its answer: nothing happens, and no listener is left", async () => {
    const { calls, run, what, ids } = newCalls({ enter: later });
    const controller = new AbortController();
    const answer = run({}, controller.signal);
    calls.settle(ids[0], JSON.parse(answerText("done")));
    await answer;
    assert.equal(listeners(controller.signal), 0);
    controller.abort();
    assert.deepEqual(what(), ["start", "end"]);
  });

  test("leaves no listener when it was answered at once", async () => {
    const { signal } = new AbortController();
    await newCalls().run({}, signal);
    assert.equal(listeners(signal), 0);
  });

  test("is settled with all others, but for those that run here", async () => {
    const inner = deferred();
    /** @type {(string | number | undefined)[]} */
    const ways = [undefined, 1, undefined];
    const { calls, run } = newCalls({ enter: () => ways.shift(), handler: () => inner.promise });
    const [first, here, second] = [run(), run(), run()];
    calls.settleAll(hostFailed("it died", "unknown"));
    for (const each of [first, second]) assert.equal(verdict(await each)[0], "HOST_FAILED");
    inner.resolve("alive");
    assert.equal(textOf(await here), "alive");
  });
});

describe("a call whose handler runs here", () => {
  test("is counted out before its answer is handed back, and once", async () => {
    const { run, what, told, ids } = newCalls({ enter: () => 1 });
    assert.equal(textOf(/** @type {any} */ (run())), "handled");
    assert.deepEqual(what(), ["start", "out", "end"]);
    assert.deepEqual(told[1], ["out", ids[0]]);
  });

  /** @type {Record<string, () => unknown>} */
  const ways = {
    "answers later": async () => "handled",
    rejects: async () => Promise.reject({ code: "X", message: "no" }),
    throws: () => {
      throw Object.assign(new Error("no"), { code: "X" });
    },
  };
  for (const [name, handler] of Object.entries(ways)) {
    test(`is counted out when it ${name}`, async () => {
      const { calls, run, what } = newCalls({ enter: () => 1, handler });
      await run();
      assert.deepEqual(what(), ["start", "out", "end"]);
      assert.deepEqual(calls.running(), []);
    });
  }

  test("is counted out, though its input is no object and it is not entered", async () => {
    const { run, what } = newCalls({ enter: () => 1 });
    assert.equal(verdict(await run([]))[0], "INVALID_TOOL_ARGS");
    assert.deepEqual(what(), ["start", "out", "end"]);
  });

  test("is counted out when its caller gives up, and not again when it ends", async () => {
    const inner = deferred();
    const { run, what } = newCalls({ enter: () => 1, handler: () => inner.promise });
    const controller = new AbortController();
    const answer = run({}, controller.signal);
    controller.abort();
    assert.equal(verdict(await answer)[0], "CANCELLED");
    inner.resolve("late");
    await turn();
    assert.deepEqual(what(), ["start", "out", "end"]);
  });

  test("is listed with the wish that it began under, also in its own first lines", async () => {
    const inner = deferred();
    /** @type {any[]} */
    const seen = [];
    const handler = () => (seen.push(calls.running()), inner.promise);
    const { calls, run, ids } = newCalls({ enter: () => 7, handler });
    const answer = run();
    seen.push(calls.running());
    const here = [[ids[0], { number: 7, name: "a", handler, holder: "" }]];
    assert.deepEqual(seen, [here, here]);
    inner.resolve();
    await answer;
    assert.deepEqual(calls.running(), []);
  });

  test("asks its owner whether it is current", async () => {
    const handler = (/** @type {any} */ _, /** @type {any} */ { isCurrent }) => isCurrent();
    const { run } = newCalls({ enter: () => 1, handler });
    assert.deepEqual((await run()).structuredContent, { result: true });
  });

  test("is ended with all others from outside, and the handlers are told", async () => {
    /** @type {AbortSignal[]} */
    const signals = [];
    const handler = (/** @type {any} */ _, /** @type {any} */ { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const { calls, run, what } = newCalls({ enter: () => 1, handler });
    const answers = [run(), run()];
    calls.endAll(failure("CANCELLED", "the page is left", "unknown"));
    for (const answer of answers) assert.equal(textOf(await answer), "the page is left");
    assert.ok(signals.every(({ aborted }) => aborted));
    assert.equal(what().filter((each) => each === "out").length, 2);
    assert.deepEqual(calls.running(), []);
  });
});
