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
    onCallEnd: (...args) => told.push(["end", ...args]),
    onDeath: (error) => {
      told.push(["death", error]);
      border.die("it died");
    },
  });
  border.attachContext(/** @type {any} */ (context));
  border.attach(python.host);
  border.register(1, JSON.stringify(DEFINITION));
  const [{ tool, options }] = context.registered;
  const asked = (/** @type {string} */ name) => python.calls.filter(([each]) => each === name);
  return { border, context, exposed, told, asked, execute: tool.execute, options };
}

/** Python that answers later: `settle` does. */
const later = { call: () => undefined };

/** @param {AbortSignal} signal */
const listeners = (signal) => getEventListeners(signal, "abort").length;

describe("execute", () => {
  test("hands an object over as JSON text and parses the answer", async () => {
    const { execute, asked } = newBorder();
    assert.deepEqual(await execute({ x: [1, null, "靴"] }), JSON.parse(answerText("done")));
    const [[, registration, , text]] = asked("call");
    assert.deepEqual([registration, text], [1, '{"x":[1,null,"靴"]}']);
  });

  test("takes JSON text as it is, as browsers up to 154 give it", async () => {
    const { execute, asked } = newBorder();
    await execute('{"x": "0042"}');
    assert.equal(asked("call")[0][3], '{"x": "0042"}');
  });

  for (const [input, text] of /** @type {[unknown, string][]} */ ([
    [undefined, "{}"],
    [null, "null"],
    [Symbol("x"), "null"],
    [() => 1, "null"],
    [NaN, "null"],
    [7, "7"],
  ])) {
    test(`hands ${String(input)} over as ${text}, for Python to judge`, async () => {
      const { execute, asked } = newBorder();
      await execute(input);
      assert.equal(asked("call")[0][3], text);
    });
  }

  /** @type {any} */
  const cycle = {};
  cycle.self = cycle;
  for (const [name, input] of Object.entries({ cycle, bigint: { n: 1n } })) {
    test(`answers an input that JSON cannot hold (${name}) without asking Python`, async () => {
      const { execute, asked } = newBorder();
      const answer = await execute(input);
      assert.deepEqual(verdict(answer), ["INVALID_TOOL_ARGS", "none", true]);
      assert.match(answer.content[0].text, /TypeError/);
      assert.equal(asked("call").length, 0);
    });
  }

  for (const thrown of UNREADABLE) {
    test(`never rejects, though the input throws ${typeof thrown} when it is read`, async () => {
      const { execute } = newBorder();
      const input = {
        toJSON() {
          throw thrown;
        },
      };
      assert.equal(verdict(await execute(input))[0], "INVALID_TOOL_ARGS");
    });
  }

  test("never rejects, though it is given a signal that is none", async () => {
    const { execute } = newBorder(later);
    const refused = verdict(await execute({}, { signal: 5 }));
    assert.deepEqual(refused, ["INVALID_TOOL_ARGS", "none", true]);
    assert.equal((await newBorder().execute({}, null)).isError, undefined);
  });

  test("gives every call an id of its own", async () => {
    const { execute, asked } = newBorder();
    await Promise.all(Array.from({ length: 50 }, () => execute({})));
    await newBorder().execute({});
    assert.equal(new Set(asked("call").map(([, , callId]) => callId)).size, 50);
  });

  test("tells of a call's start, and of its end with the answer and the time it took", async () => {
    const { execute, told, border, asked } = newBorder(later);
    const answer = execute({});
    const [[, , callId]] = asked("call");
    assert.deepEqual(told, [["start", "a", callId]]);
    border.settle(callId, answerText("late"));
    await answer;
    const [, [type, tool, id, given, ms]] = told;
    assert.deepEqual([type, tool, id, given], ["end", "a", callId, await answer]);
    assert.ok(ms >= 0);
  });
});

describe("a call that waits", () => {
  test("settles once, by its id, whatever comes after", async () => {
    const { border, execute, asked } = newBorder(later);
    const first = execute({});
    const second = execute({});
    const [id1, id2] = asked("call").map(([, , callId]) => callId);
    border.settle(id2, answerText("two"));
    border.settle(id1, answerText("one"));
    border.settle(id1, answerText("again"));
    border.settle("unknown", answerText("nobody"));
    assert.deepEqual(
      (await Promise.all([first, second])).map((answer) => answer.content[0].text),
      ["one", "two"],
    );
  });

  test("is aborted before: Python does not hear of it", async () => {
    const { execute, asked } = newBorder();
    const answer = await execute({}, { signal: AbortSignal.abort() });
    assert.deepEqual(verdict(answer), ["CANCELLED", "none", false]);
    assert.equal(asked("call").length, 0);
  });

  test("is aborted while it runs: Python settles it, once", async () => {
    const { border, execute, asked } = newBorder({
      ...later,
      abort: (callId) => border.settle(callId, answerText("cancelled")),
    });
    const controller = new AbortController();
    const answer = execute({}, { signal: controller.signal });
    controller.abort();
    assert.equal((await answer).content[0].text, "cancelled");
    assert.equal(asked("abort").length, 1);
    assert.equal(listeners(controller.signal), 0);
  });

  test("is aborted by the first lines of its own handler: Python is told all the same", async () => {
    const controller = new AbortController();
    const { execute, asked, border } = newBorder({
      call: () => controller.abort(),
      abort: (callId) => border.settle(callId, answerText("cancelled")),
    });
    const answer = await execute({}, { signal: controller.signal });
    assert.equal(answer.content[0].text, "cancelled");
    assert.equal(asked("abort").length, 1);
  });

  test("is aborted after its answer: nothing happens, and no listener is left", async () => {
    const { border, execute, asked } = newBorder(later);
    const controller = new AbortController();
    const answer = execute({}, { signal: controller.signal });
    assert.equal(listeners(controller.signal), 1);
    border.settle(asked("call")[0][2], answerText("done"));
    await answer;
    assert.equal(listeners(controller.signal), 0);
    controller.abort();
    assert.equal(asked("abort").length, 0);
  });

  test("leaves no listener when it was answered at once", async () => {
    const { execute } = newBorder();
    const { signal } = new AbortController();
    await execute({}, { signal });
    assert.equal(listeners(signal), 0);
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
    border.settle("any", answerText("late"));
  });

  test("later calls have none, and Python is not asked again", async () => {
    const { border, execute, asked } = newBorder();
    border.die("it died");
    assert.deepEqual(verdict(await execute({})), ["HOST_FAILED", "none", false]);
    assert.deepEqual(verdict(await border.callNamed("a", {})), ["HOST_FAILED", "none", false]);
    assert.deepEqual(border.states(), [{ name: "a", state: "leaving", inFlight: 0, calls: 2 }]);
    assert.equal(border.load("u", "s"), undefined);
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
        border.callPage(1, "page", "reenter", "[]");
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
  test("gives the browser the definition, without what is an option of it", async () => {
    const { border, context, asked } = newBorder();
    border.register(
      2,
      JSON.stringify({ ...DEFINITION, name: "b", exposedTo: ["https://p.example"] }),
    );
    const [first, second] = context.registered;
    const { execute, ...definition } = first.tool;
    assert.deepEqual(definition, DEFINITION);
    assert.equal("exposedTo" in first.options, false);
    assert.equal("exposedTo" in second.tool, false);
    assert.deepEqual(second.options.exposedTo, ["https://p.example"]);
    await until(() => asked("registered").length === 2);
    assert.equal(typeof execute, "function");
  });

  for (const [how, register] of Object.entries({
    "throws at once": () => {
      throw new DOMException("it is taken", "InvalidStateError");
    },
    rejects: () => Promise.reject(new DOMException("it is taken", "InvalidStateError")),
  })) {
    test(`a browser that ${how} is told to Python in the browser's words`, async () => {
      const { asked, options, border } = newBorder({}, register);
      await until(() => asked("rejected").length);
      assert.deepEqual(asked("rejected"), [["rejected", 1, "InvalidStateError: it is taken"]]);
      border.unregister(1);
      assert.equal(
        options.signal.aborted,
        false,
        "its abort could remove another tool of that name",
      );
    });
  }

  for (const thrown of UNREADABLE) {
    test(`a browser that rejects with ${typeof thrown} has refused it all the same`, async () => {
      const { asked } = newBorder({}, () => Promise.reject(thrown));
      await until(() => asked("rejected").length);
    });
  }

  test("a browser that returns no promise has accepted it", async () => {
    const { asked } = newBorder({}, () => undefined);
    await until(() => asked("registered").length);
    assert.deepEqual(asked("rejected"), []);
  });

  test("unregister aborts that registration's own signal, harmless twice", () => {
    const { border, context } = newBorder();
    border.register(2, JSON.stringify({ ...DEFINITION, name: "b" }));
    border.unregister(1);
    border.unregister(1);
    border.unregister(99);
    assert.deepEqual(
      context.registered.map(({ options }) => options.signal.aborted),
      [true, false],
    );
  });

  test("a rejection that our own abort caused is no failure", async () => {
    const pending = deferred();
    const { border, asked, options } = newBorder({}, () => pending.promise);
    border.unregister(1);
    pending.reject(options.signal.reason);
    await turn();
    assert.deepEqual(asked("rejected"), []);
  });

  test("a tool that is registered anew gets a fresh controller", () => {
    const { border, context } = newBorder();
    border.unregister(1);
    border.register(2, JSON.stringify(DEFINITION));
    const [first, second] = context.registered;
    assert.notEqual(first.options.signal, second.options.signal);
    assert.equal(second.options.signal.aborted, false);
  });
});

describe("timers", () => {
  test("fire once with their number", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { border, asked } = newBorder();
    border.setTimer(1, 500);
    border.setTimer(2, 100);
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
    border.setTimer(1, 500);
    border.clearTimer(1);
    border.clearTimer(1);
    border.clearTimer(99);
    context.mock.timers.tick(1000);
    assert.deepEqual(asked("timer"), []);
  });

  test("stop when Python dies", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const cleared = mock.method(globalThis, "clearTimeout");
    const { border } = newBorder();
    border.setTimer(1, 500);
    border.die("it died");
    assert.equal(cleared.mock.callCount(), 1);
    cleared.mock.restore();
  });

  test("of more than 24.8 days do not fire at once", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const month = 30 * 24 * 3600 * 1000;
    const { border, asked } = newBorder();
    border.setTimer(1, month);
    context.mock.timers.tick(2 ** 31 - 1);
    context.mock.timers.tick(month - 2 ** 31);
    assert.deepEqual(asked("timer"), []);
    context.mock.timers.tick(1);
    assert.deepEqual(asked("timer"), [["timer", 1]]);
  });
});

describe("callPage", () => {
  /** Calls `f` of what is exposed as "page". @param {any} f @param {unknown[]} args */
  function callPage(f, ...args) {
    const { border, exposed, asked } = newBorder();
    exposed.set("page", { f });
    const text = border.callPage(7, "page", "f", JSON.stringify(args));
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
    assert.equal(border.callPage(1, "shop", "add", "[4]"), '{"value":{"sum":7}}');
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
      const { error } = parsed(border.callPage(1, "page", name, "[]"));
      assert.deepEqual(error, {
        message: `The page's "page" has no function "${name}".`,
        code: "PAGE_ERROR",
      });
    });
  }

  for (const name of ["later", "constructor", "__proto__"]) {
    test(`says of "${name}", which is not exposed, to try again`, () => {
      const { border } = newBorder();
      assert.equal(parsed(border.callPage(1, name, "f", "[]")).error.code, "PAGE_NOT_READY");
    });
  }

  test("drops an answer that comes after Python died", async () => {
    const pending = deferred();
    const { border, exposed, asked } = newBorder();
    exposed.set("page", { f: () => pending.promise });
    border.callPage(1, "page", "f", "[]");
    border.die("it died");
    pending.resolve(1);
    await turn();
    assert.deepEqual(asked("page_answered"), []);
  });
});

describe("what Python tells the page", () => {
  test("a tool's state goes to the owner", () => {
    const { border, told } = newBorder();
    border.toolState("a", "failed", "it is taken");
    border.toolState("b", "registered", undefined);
    assert.deepEqual(told, [
      ["state", "a", "failed", "it is taken"],
      ["state", "b", "registered", undefined],
    ]);
  });

  test("a line goes to the console by its level", (context) => {
    const error = context.mock.method(console, "error", () => {});
    const warn = context.mock.method(console, "warn", () => {});
    const { border } = newBorder();
    border.log("error", "broken");
    border.log("warn", "lost");
    border.log("constructor", "other");
    assert.deepEqual(
      [error, warn].map(({ mock: { calls } }) => calls.map((call) => call.arguments)),
      [[["broken"]], [["lost"], ["other"]]],
    );
  });

  test("an app's problem comes as an object", () => {
    const problem = { message: "line 1: no", traceback: "" };
    const { border } = newBorder({ load: () => JSON.stringify(problem) });
    assert.deepEqual(border.load("u", "s"), problem);
    assert.equal(newBorder().border.load("u", "s"), undefined);
  });

  test("the tools' states come as a list", () => {
    const states = [{ name: "a", state: "registered", inFlight: 0, calls: 2 }];
    assert.deepEqual(newBorder({ states: () => JSON.stringify(states) }).border.states(), states);
  });
});
