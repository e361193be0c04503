import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, mock, test } from "node:test";

import { Border } from "../../static/border.js";
import {
  answerText,
  deferred,
  fakeContext,
  fakePython,
  forbidWarnings,
  replace,
  turn,
  UNREADABLE,
  until,
  verdict,
} from "./fakes.mjs";

forbidWarnings();

const DEFINITION = { name: "a", description: "d", inputSchema: { type: "object" } };

/**
 * A border with Python attached, and one tool registered.
 *
 * @param {Record<string, (...args: any[]) => any>} [functions] of Python's host
 * @param {(tool: any, options: any) => any} [register]
 */
function newBorder(functions, register) {
  const context = fakeContext(register);
  const python = fakePython(functions);
  /** @type {Map<string, Record<string, unknown>>} */
  const exposed = new Map();
  /** @type {any[][]} */
  const told = [];
  /** @type {Border} */
  const border = new Border(exposed, {
    onState: (...args) => told.push(["state", ...args]),
    onCallStart: (...args) => told.push(["start", ...args]),
    onCallProgress: (...args) => told.push(["progress", ...args]),
    onCallEnd: (...args) => told.push(["end", ...args]),
    onTeardown: (teardown) => told.push(["teardown", teardown]),
    onNeed: () => {},
    onDeath: (error) => {
      told.push(["death", error]);
      border.die("it died");
    },
  });
  border.attachContext(/** @type {any} */ (context));
  border.attach(python.host);
  border.port.register(1, JSON.stringify(DEFINITION));
  const [{ tool, options }] = context.registered;
  const asked = (/** @type {string} */ name) => python.calls.filter(([each]) => each === name);
  return { border, context, exposed, told, asked, execute: tool.execute, options };
}

/** Python that answers later: `settle` does. */
const later = { call: () => undefined };

/** @param {AbortSignal} signal */
const listeners = (signal) => getEventListeners(signal, "abort").length;

describe("progress", () => {
  test("that Python tells is told before the call's end, with the call's id", async () => {
    const report = { iteration: 2, progress: { done: 1 }, message: "a reported progress (1)" };
    const { border, execute, told } = newBorder({
      call: (_, callId) => {
        border.port.callProgress("a", callId, JSON.stringify(report));
        return answerText("done");
      },
    });
    await execute({});
    const [[, , callId]] = told.filter(([what]) => what === "start");
    assert.deepEqual(told.find(([what]) => what === "progress")?.slice(1), ["a", callId, report]);
    const order = told.map(([what]) => what).filter((what) => what !== "state");
    assert.deepEqual(order, ["start", "progress", "end"]);
  });

  for (const [facts, iteration] of /** @type {[string | undefined, number][]} */ ([
    ['{"iteration": 3}', 3],
    [undefined, 0],
    ["{}", 0],
    ["null", 0],
    ['{"iteration": -1}', 0],
    ['{"iteration": "3"}', 0],
  ])) {
    test(`of a handler in JavaScript has the iteration ${iteration} of the facts ${facts}`, async () => {
      const { border, told } = newBorder({
        call_named: () => [...border.holds.wishes()][0].number,
      });
      border.holds.define(DEFINITION, (_, { progress }) => progress({ done: 1 }));
      await border.callNamed("a", {}, undefined, facts);
      const [, , , report] = told.find(([what]) => what === "progress") ?? [];
      assert.equal(report.iteration, iteration);
    });
  }
});

describe("execute", () => {
  test("hands the input to Python as JSON text, with the registration, and parses the answer", async () => {
    const { execute, asked } = newBorder();
    assert.deepEqual(await execute({ x: [1, null, "靴"] }), JSON.parse(answerText("done")));
    const [[, registration, , text]] = asked("call");
    assert.deepEqual([registration, text], [1, '{"x":[1,null,"靴"]}']);
  });

  test("waits for Python to settle the call, and tells Python when its caller gives up", async () => {
    const { border, execute, asked } = newBorder({
      ...later,
      abort: (callId) => border.port.settle(callId, answerText("cancelled")),
    });
    const controller = new AbortController();
    const answer = execute({}, { signal: controller.signal });
    controller.abort();
    assert.equal((await answer).content[0].text, "cancelled");
    assert.deepEqual(asked("abort"), [["abort", asked("call")[0][2]]]);
  });

  test("runs the handler of the wish that Python names, and counts it out", async () => {
    const { border, execute, asked } = newBorder({ call: () => 1, is_current: () => false });
    /** @type {any} */
    let context;
    border.holds.define(DEFINITION, (_, given) => {
      context = given;
      return given.isCurrent();
    });
    assert.deepEqual((await execute({})).structuredContent, { result: false });
    assert.deepEqual(asked("count_out"), [["count_out", context.callId]]);
    assert.deepEqual(asked("is_current"), [["is_current", context.callId]]);
  });
});

describe("Python that throws is dead", () => {
  test("the call that found out, and those in flight, may have had an effect", async () => {
    let isFatal = false;
    const { border, execute, told } = newBorder({
      call: () => {
        if (isFatal) throw new Error("out of memory");
      },
    });
    const open = execute({});
    isFatal = true;
    const last = execute({});
    assert.deepEqual(verdict(await open), ["HOST_FAILED", "unknown", false]);
    assert.deepEqual(verdict(await last), ["HOST_FAILED", "unknown", false]);
    assert.match((await last).content[0].text, /it died/);
    assert.equal(told.filter(([type]) => type === "death").length, 1);
    border.port.settle("any", answerText("late"));
  });

  test("later calls have none, and Python is not asked again", async () => {
    const { border, execute, asked } = newBorder();
    border.die("it died");
    assert.deepEqual(verdict(await execute({})), ["HOST_FAILED", "none", false]);
    assert.deepEqual(verdict(await border.callNamed("a", {})), ["HOST_FAILED", "none", false]);
    assert.deepEqual(border.states(), [{ name: "a", state: "leaving", inFlight: 0, calls: 2 }]);
    assert.equal(border.load("u", { source: "s" }), undefined);
    assert.deepEqual([asked("call"), asked("states"), asked("load")], [[], [], []]);
  });

  test("an abort of a call that died does nothing", async () => {
    const { border, execute, asked } = newBorder(later);
    const controller = new AbortController();
    const answer = execute({}, { signal: controller.signal });
    border.die("it died");
    await answer;
    assert.equal(listeners(controller.signal), 0);
    controller.abort();
    assert.equal(asked("abort").length, 0);
  });

  test("is told once, though a call inside of a call finds out too", async () => {
    const { border, execute, exposed, told } = newBorder({
      call: () => {
        border.port.callPage(1, "page", "reenter", "[]");
        throw new Error("the outer frame is gone");
      },
      call_named: () => {
        throw new Error("out of memory");
      },
    });
    exposed.set("page", { reenter: () => void border.callNamed("b", {}) });
    await execute({});
    assert.deepEqual(
      told.filter(([type]) => type === "death").map(([, error]) => error.message),
      ["out of memory"],
    );
  });
});

describe("register", () => {
  test("tells Python when the browser has accepted, and nothing of what was taken back", async () => {
    const pending = deferred();
    const { border, asked, context } = newBorder({}, ({ name }) =>
      name === "b" ? pending.promise : undefined,
    );
    border.port.register(2, JSON.stringify({ ...DEFINITION, name: "b" }));
    border.port.unregister(2);
    assert.equal(context.registered[1].options.signal.aborted, true);
    pending.reject(new Error("it was taken back"));
    await border.decided();
    assert.deepEqual(asked("registered"), [["registered", 1]]);
    assert.deepEqual(asked("rejected"), []);
  });

  test("tells Python when the browser has refused, in the browser's words", async () => {
    const { border, asked } = newBorder({}, () => Promise.reject(new Error("no")));
    await border.decided();
    assert.deepEqual(asked("rejected"), [["rejected", 1, "Error: no"]]);
  });
});

describe("timers", () => {
  test("fire once with their number", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { border, asked } = newBorder();
    border.port.setTimer(1, 500);
    border.port.setTimer(2, 100);
    context.mock.timers.tick(499);
    assert.deepEqual(asked("timer"), [["timer", 2]]);
    context.mock.timers.tick(1000);
    assert.deepEqual(asked("timer"), [
      ["timer", 2],
      ["timer", 1],
    ]);
  });

  test("that were taken back never fire", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { border, asked } = newBorder();
    border.port.setTimer(1, 500);
    border.port.clearTimer(1);
    border.port.clearTimer(1);
    border.port.clearTimer(99);
    context.mock.timers.tick(1000);
    assert.deepEqual(asked("timer"), []);
  });

  test("stop when Python dies", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const cleared = mock.method(globalThis, "clearTimeout");
    const { border } = newBorder();
    border.port.setTimer(1, 500);
    border.die("it died");
    assert.equal(cleared.mock.callCount(), 1);
    cleared.mock.restore();
  });

  test("of more than 24.8 days do not fire at once", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const month = 30 * 24 * 3600 * 1000;
    const { border, asked } = newBorder();
    border.port.setTimer(1, month);
    context.mock.timers.tick(2 ** 31 - 1);
    context.mock.timers.tick(month - 2 ** 31);
    assert.deepEqual(asked("timer"), []);
    context.mock.timers.tick(1);
    assert.deepEqual(asked("timer"), [["timer", 1]]);
  });
});

describe("what an agent in Python asks", () => {
  test("is answered as what a page asks: its calls, and when the tools have settled", async (test) => {
    const { border, told, asked } = newBorder();
    border.port.callTool(7, "a", '{"x":1}', '{"runId":"r"}');
    await until(() => asked("page_answered").length === 1);
    assert.deepEqual(asked("page_answered"), [["page_answered", 7, answerText("done")]]);
    const [[, name, , text, facts]] = asked("call_named");
    assert.deepEqual([name, text, facts], ["a", '{"x":1}', '{"runId":"r"}']);
    const calls = told.map(([what]) => what).filter((what) => what !== "state");
    assert.deepEqual(calls, ["start", "end"]);
    replace(test, "document", { modelContext: undefined });
    border.port.untilSettled(8);
    await until(() => asked("page_answered").length === 2);
    assert.deepEqual(asked("page_answered")[1], ["page_answered", 8, "null"]);
  });

  test("is given up: a call has its answer all the same, a request is told of no more", async (test) => {
    const { border, asked } = newBorder({
      call_named: () => undefined,
      abort: (callId) => border.port.settle(callId, answerText("cancelled")),
      fetched: () => {},
    });
    border.port.callTool(7, "a", "{}", "{}");
    border.port.abortTool(7);
    await until(() => asked("page_answered").length === 1);
    assert.deepEqual(asked("page_answered"), [["page_answered", 7, answerText("cancelled")]]);
    /** @type {AbortSignal[]} */
    const signals = [];
    replace(test, "fetch", (/** @type {string} */ _, /** @type {any} */ { signal }) => {
      signals.push(signal);
      return signals.length < 3 ? new Promise(() => {}) : Promise.reject(new TypeError("failed"));
    });
    for (const number of [1, 2, 3])
      border.port.fetch(number, '{"url":"/v1","headers":{},"body":""}');
    await until(() => asked("fetched").length === 1);
    assert.deepEqual(asked("fetched"), [["fetched", 3, '{"error":"TypeError"}']]);
    border.port.abortFetch(1);
    assert.deepEqual([signals[0].aborted, signals[1].aborted], [true, false]);
    border.die("it died");
    assert.equal(signals[1].aborted, true);
  });
});

describe("callPage", () => {
  /** Calls `f` of what is exposed as "page". @param {any} f @param {unknown[]} args */
  function callPage(f, ...args) {
    const { border, exposed, asked } = newBorder();
    exposed.set("page", { f });
    const text = border.port.callPage(7, "page", "f", JSON.stringify(args));
    return { text, asked };
  }

  /** The answer that came later. @param {any} f */
  async function calledLater(f) {
    const { text, asked } = callPage(f);
    assert.equal(text, undefined);
    await until(() => asked("page_answered").length);
    const [[, call, answer]] = asked("page_answered");
    assert.equal(call, 7);
    return JSON.parse(answer);
  }

  /** @param {any} text */
  const parsed = (text) => JSON.parse(text);

  test("gives a sync function's value at once, with `this` as in the page", () => {
    const shop = {
      total: 3,
      /** @param {number} n */
      add(n) {
        return { sum: this.total + n };
      },
    };
    const { border, exposed } = newBorder();
    exposed.set("shop", shop);
    assert.equal(border.port.callPage(1, "shop", "add", "[4]"), '{"value":{"sum":7}}');
  });

  test("gives a promise's value later, also of a foreign promise", async () => {
    assert.deepEqual(await calledLater(async () => [1]), { value: [1] });
    const thenable = { then: (/** @type {any} */ resolve) => resolve("靴") };
    assert.deepEqual(await calledLater(() => thenable), { value: "靴" });
  });

  for (const [name, value, text] of /** @type {[string, unknown, string][]} */ ([
    ["undefined", undefined, "{}"],
    ["a function", () => 1, "{}"],
    ["a symbol", Symbol("x"), "{}"],
    ["NaN", NaN, '{"value":null}'],
    ["a node with toJSON", { toJSON: () => "node" }, '{"value":"node"}'],
  ])) {
    test(`gives ${name} as ${text}`, async () => {
      assert.equal(callPage(() => value).text, text);
      assert.deepEqual(await calledLater(async () => value), JSON.parse(text));
    });
  }

  /** @type {any} */
  const cycle = {};
  cycle.self = cycle;
  for (const [name, value] of Object.entries({ cycle, bigint: 1n })) {
    test(`answers a value that JSON cannot hold (${name}) with an error`, async () => {
      assert.match(parsed(callPage(() => value).text).error.message, /JSON|BigInt|circular/);
      assert.match((await calledLater(async () => value)).error.message, /JSON|BigInt|circular/);
    });
  }

  test("gives an error's text, and its code where that is a text", async () => {
    const soldOut = Object.assign(new Error("none left"), { code: "SOLD_OUT" });
    const thrower = () => {
      throw soldOut;
    };
    const error = { message: "none left", code: "SOLD_OUT" };
    assert.deepEqual(parsed(callPage(thrower).text), { error });
    assert.deepEqual(await calledLater(async () => thrower()), { error });
    const numbered = new DOMException("none left", "NotFoundError");
    assert.deepEqual(
      parsed(
        callPage(() => {
          throw numbered;
        }).text,
      ),
      { error: { message: "none left" } },
    );
  });

  for (const thrown of [...UNREADABLE, Object.assign(new Error(), { message: 1n })]) {
    test(`answers whatever is thrown, here ${typeof thrown}`, async () => {
      const thrower = () => {
        throw thrown;
      };
      assert.equal(typeof parsed(callPage(thrower).text).error.message, "string");
      assert.equal(typeof (await calledLater(async () => thrower())).error.message, "string");
    });
  }

  for (const name of [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "missing",
    "title",
  ]) {
    test(`does not call "${name}", which nobody exposed`, () => {
      const { border, exposed } = newBorder();
      exposed.set("page", { title: "no function" });
      const { error } = parsed(border.port.callPage(1, "page", name, "[]"));
      assert.deepEqual(error, {
        message: `The page's "page" has no function "${name}".`,
        code: "PAGE_ERROR",
      });
    });
  }

  for (const name of ["later", "constructor", "__proto__"]) {
    test(`says of "${name}", which is not exposed, to try again`, () => {
      const { border } = newBorder();
      assert.equal(parsed(border.port.callPage(1, name, "f", "[]")).error.code, "PAGE_NOT_READY");
    });
  }

  test("drops an answer that comes after Python died", async () => {
    const pending = deferred();
    const { border, exposed, asked } = newBorder();
    exposed.set("page", { f: () => pending.promise });
    border.port.callPage(1, "page", "f", "[]");
    border.die("it died");
    pending.resolve(1);
    await turn();
    assert.deepEqual(asked("page_answered"), []);
  });
});

describe("what Python tells the page", () => {
  test("a tool's state goes to the owner", () => {
    const { border, told } = newBorder();
    border.port.toolState("a", "failed", "it is taken");
    border.port.toolState("b", "registered", undefined);
    assert.deepEqual(told, [
      ["state", "a", "failed", "it is taken"],
      ["state", "b", "registered", undefined],
    ]);
  });

  test("a line goes to the console by its level", (context) => {
    const error = context.mock.method(console, "error", () => {});
    const warn = context.mock.method(console, "warn", () => {});
    const { border } = newBorder();
    border.port.log("error", "broken");
    border.port.log("warn", "lost");
    border.port.log("constructor", "other");
    assert.deepEqual(
      [error, warn].map(({ mock: { calls } }) => calls.map((call) => call.arguments)),
      [[["broken"]], [["lost"], ["other"]]],
    );
  });

  test("an app's problem comes as an object", () => {
    const problem = { message: "line 1: no", traceback: "" };
    const { border } = newBorder({ load: () => JSON.stringify(problem) });
    assert.deepEqual(border.load("u", { source: "s" }), problem);
    assert.equal(newBorder().border.load("u", { source: "s" }), undefined);
  });

  test("an app that is an archive goes to Python as bytes, with its entry", () => {
    const { border, asked } = newBorder({ load_archive: () => undefined });
    const archive = Uint8Array.of(80, 75);
    assert.equal(border.load("u", { archive, entry: "shop.tools" }), undefined);
    assert.deepEqual(asked("load_archive"), [["load_archive", "u", archive, "shop.tools"]]);
  });

  test("the tools' states come as a list", () => {
    const states = [{ name: "a", state: "registered", inFlight: 0, calls: 2 }];
    assert.deepEqual(newBorder({ states: () => JSON.stringify(states) }).border.states(), states);
  });
});

describe("what Python asks the person", () => {
  const text = JSON.stringify({ tool: "a", message: "Pay?", arguments: { amount: 3 } });

  /** A border whose page asks in its own way, which the test answers. @param {import("node:test").TestContext} context */
  function newAsking(context) {
    const global = /** @type {any} */ (globalThis);
    global.document = { addEventListener() {}, removeEventListener() {} };
    context.after(() => delete global.document);
    const made = newBorder(later);
    /** @type {any[]} */
    const questions = [];
    const said = deferred();
    made.border.confirmations.askWith((question) => {
      questions.push(question);
      return said.promise;
    });
    return { ...made, questions, said };
  }

  test("reaches it by its number, once", async (context) => {
    const { border, asked, questions, said } = newAsking(context);
    border.port.confirm(7, text);
    await turn();
    const { signal, ...question } = questions[0];
    assert.deepEqual(question, JSON.parse(text));
    said.resolve(true);
    await turn();
    border.port.withdraw(7);
    assert.deepEqual(asked("confirmed"), [["confirmed", 7, "allowed"]]);
    assert.equal(signal.aborted, false);
  });

  test("is closed when Python withdraws it, and Python is told nothing", async (context) => {
    const { border, asked, questions, said } = newAsking(context);
    border.port.confirm(7, text);
    await turn();
    border.port.withdraw(7);
    border.port.withdraw(7);
    assert.equal(questions[0].signal.reason, "over");
    said.resolve(true);
    await turn();
    assert.deepEqual(asked("confirmed"), []);
  });

  test("is closed when Python dies", async (context) => {
    const { border, asked, questions, said } = newAsking(context);
    border.port.confirm(7, text);
    await turn();
    border.die("it died");
    assert.equal(questions[0].signal.aborted, true);
    said.resolve(true);
    await turn();
    assert.deepEqual(asked("confirmed"), []);
  });
});

describe("what this tab owns", () => {
  test("is asked for by Python, told to it, and let go when Python dies or the page is left", async (context) => {
    const locks = {
      request: mock.fn(async (_name, { signal }, callback) => signal ?? callback(null)),
    };
    replace(context, "navigator", { locks });
    const { border, asked } = newBorder({
      ownership: () => {},
      leave: () => {},
      restored: () => {},
    });
    border.port.askOwnership("cart");
    await border.decided();
    await turn();
    assert.deepEqual(asked("ownership"), [["ownership", "cart", undefined, "elsewhere"]]);
    assert.equal(border.port.ownedEpoch("cart"), undefined);
    assert.equal(border.port.isOwnershipGone("cart"), false);
    border.leave(true);
    assert.deepEqual(asked("ownership").at(-1), ["ownership", "cart", undefined, undefined]);
    border.restore();
    border.port.takeOwnership("cart");
    border.port.releaseOwnership("cart");
    await turn();
    assert.deepEqual(asked("ownership").at(-1), ["ownership", "cart", undefined, "released"]);
    border.port.askOwnership("desk");
    border.die("it died");
    const signals = locks.request.mock.calls.map(({ arguments: [, { signal }] }) => signal);
    assert.ok(signals.every((signal) => !signal || signal.aborted));
  });
});

describe("credentials", () => {
  const asked = { service: "payments", scopes: [] };
  const text = JSON.stringify(asked);

  test("are asked of the page by their number, and Python is told the outcome once", async () => {
    const { border, asked: askedOf } = newBorder({ provide: () => {}, provided: () => {} });
    border.services.provideWith(({ service }) => ({
      headers: { Authorization: `Bearer ${service}` },
    }));
    border.port.requestCredential(7, text);
    await turn();
    border.port.withdrawCredential(7);
    const outcome = { headers: { Authorization: "Bearer payments" } };
    assert.deepEqual(askedOf("provided"), [["provided", 7, JSON.stringify(outcome)]]);
  });

  test("are announced to Python, whoever came first", () => {
    const { border, asked: askedOf } = newBorder({ provide: () => {} });
    border.services.provideWith(() => null);
    border.services.provideWith();
    assert.deepEqual(askedOf("provide"), [
      ["provide", true],
      ["provide", false],
    ]);
    const python = fakePython({ provide: () => {} });
    border.die("it died");
    border.services.provideWith(() => null);
    border.attach(python.host);
    assert.deepEqual(python.calls.at(-1), ["provide", true]);
  });

  test("are not waited for any more when Python withdraws or dies", async () => {
    const { border, asked: askedOf } = newBorder({ provide: () => {}, provided: () => {} });
    /** @type {AbortSignal[]} */
    const signals = [];
    border.services.provideWith(({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    border.port.requestCredential(1, text);
    border.port.requestCredential(2, text);
    border.port.withdrawCredential(1);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    border.die("it died");
    await turn();
    assert.equal(signals[1].aborted, true);
    assert.deepEqual(askedOf("provided"), []);
  });
});

describe("the end of a run or a session", () => {
  test("is Python's to make, and settles when Python says so", async () => {
    const { border, asked } = newBorder({ end: () => undefined });
    const ended = border.services.end("run", "r1", { identity: { conversationId: "talk-1" } });
    assert.deepEqual(asked("end"), [["end", 1, "run", "r1", '{"conversationId":"talk-1"}']]);
    border.port.ended(1);
    await ended;
  });

  test("settles where Python dies of it, or is not there", async () => {
    const { border } = newBorder({
      end: () => {
        throw new Error("a fatal one");
      },
    });
    await border.services.end("session", "s1");
    await border.services.end("session", "s1");
  });
});

test("what became of a cleanup is told", () => {
  const { border, told } = newBorder();
  const teardown = { tool: "a", scope: "run", key: "0123456789ab", what: "fired" };
  border.port.teardown(JSON.stringify(teardown));
  assert.deepEqual(told.at(-1), ["teardown", teardown]);
});

test("Python is told whether a page that is left may come back", () => {
  const { border, asked } = newBorder({ leave: () => {} });
  border.leave(true);
  border.leave(false);
  assert.deepEqual(asked("leave"), [
    ["leave", true],
    ["leave", false],
  ]);
});

describe("a call that a handler of Python's makes", () => {
  const calls = (/** @type {any[][]} */ told) =>
    told.filter(([what]) => what === "start" || what === "end").map((each) => each.slice(0, 4));

  test("is told as any other, with its answer", () => {
    const { border, told } = newBorder();
    border.port.innerCall("b", "c1#inner-1", undefined);
    border.port.innerCall("b", "c1#inner-1", answerText("done"));
    assert.deepEqual(calls(told), [
      ["start", "b", "c1#inner-1"],
      ["end", "b", "c1#inner-1", JSON.parse(answerText("done"))],
    ]);
    const ms = told.at(-1)?.[4];
    assert.ok(ms >= 0 && ms < 5000);
  });

  test("ends with Python, and once", () => {
    const { border, told } = newBorder();
    border.port.innerCall("b", "c1#inner-1", undefined);
    border.die("it died");
    border.port.innerCall("b", "c1#inner-1", answerText("done"));
    const [, [, , , answer]] = calls(told);
    assert.deepEqual(verdict(answer), ["HOST_FAILED", "unknown", false]);
    assert.equal(calls(told).length, 2);
  });
});
