/** The rules of ../shared/spec/tool-context.md, §3, for what a handler in JavaScript returns or throws. */
import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { Encoder, succeeded as answered, thrown } from "../../static/encoding.js";
import { forbidWarnings, UNREADABLE, verdict } from "./fakes.mjs";

forbidWarnings();

const SCHEMA = { type: "object", properties: { query: {}, limit: {} } };
const DEFINITION = JSON.stringify({ name: "t", description: "d", inputSchema: SCHEMA });

/** @param {string} tool @param {unknown} value */
const succeeded = (tool, value) => answered(tool, value, DEFINITION);

const warn = mock.method(console, "warn", () => {});
const error = mock.method(console, "error", () => {});
beforeEach(() => {
  warn.mock.resetCalls();
  error.mock.resetCalls();
});

/** What the agent gets of a field's value. @param {unknown} value @returns {any} */
function encoded(value) {
  const answer = succeeded("a", { value });
  const text = answer.content[0].text;
  assert.deepEqual(answer.structuredContent, JSON.parse(text));
  assert.equal(answer.isError, undefined);
  return JSON.parse(text).value;
}

/** What the console was warned of, once. */
function warned() {
  assert.equal(warn.mock.callCount(), 1);
  return String(warn.mock.calls[0].arguments[0]);
}

/** @param {(this: any, ...args: any[]) => any} trap */
const proxy = (trap) => new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap });

const fail = () => {
  throw new RangeError("secret");
};

describe("the shape of an answer", () => {
  test("a text is its text, and nothing else", () => {
    assert.deepEqual(succeeded("a", "0042 靴"), { content: [{ type: "text", text: "0042 靴" }] });
    assert.deepEqual(succeeded("a", ""), { content: [{ type: "text", text: "" }] });
  });

  for (const [name, nothing] of Object.entries({
    undefined: undefined,
    null: null,
    "what writes itself as undefined": { toJSON: () => undefined },
  })) {
    test(`${name} is done, without structured content`, () => {
      assert.deepEqual(succeeded("a", nothing), { content: [{ type: "text", text: "done" }] });
    });
  }

  test("an object is its JSON text, with non-ASCII as it is, and structured content", () => {
    assert.deepEqual(succeeded("a", { n: 1, shoe: "靴" }), {
      content: [{ type: "text", text: '{"n":1,"shoe":"靴"}' }],
      structuredContent: { n: 1, shoe: "靴" },
    });
  });

  for (const value of [[1], 0, false, new Date(0)]) {
    test(`what is no object (${JSON.stringify(value)}) is wrapped`, () => {
      const { structuredContent, content } = succeeded("a", value);
      const result = JSON.parse(JSON.stringify(value));
      assert.deepEqual(structuredContent, { result });
      assert.deepEqual(JSON.parse(content[0].text), { result });
    });
  }

  test("the handler's value is not changed, and not shared", () => {
    const value = { list: [1] };
    const { structuredContent } = succeeded("a", value);
    value.list.push(2);
    assert.deepEqual(structuredContent, { list: [1] });
  });
});

describe("a value that JSON can hold in another way", () => {
  const bytes = new Uint8Array([0, 255, 16]);
  for (const [name, value, plain] of /** @type {[string, unknown, unknown][]} */ ([
    ["NaN", NaN, null],
    ["an infinity", [-Infinity], [null]],
    ["a hole", [, 1], [null, 1]],
    ["undefined in a list", [undefined], [null]],
    ["undefined in an object", { a: undefined, b: 1 }, { b: 1 }],
    ["a small bigint", 7n, 7],
    ["the largest safe bigint", 2n ** 53n - 1n, 2 ** 53 - 1],
    ["a bigint beyond it", 2n ** 53n, "9007199254740992"],
    ["a negative one beyond it", -(2n ** 53n), "-9007199254740992"],
    ["a lone surrogate", "a\ud800b\udc00", "a\ufffdb\ufffd"],
    ["a pair of surrogates", "😀", "😀"],
    ["a lone surrogate in a key", { "\ud800": 1 }, { "\ufffd": 1 }],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a date that is none", new Date(NaN), null],
    ["a URL", new URL("https://shop.example/"), "https://shop.example/"],
    ["a set", new Set([1, "a"]), [1, "a"]],
    ["bytes", bytes, "AP8Q"],
    ["a part of a buffer", new Uint8Array(bytes.buffer, 1, 1), "/w=="],
    ["a buffer", bytes.buffer, "AP8Q"],
    ["a view", new DataView(bytes.buffer, 2), "EA=="],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["an empty object without prototype", Object.create(null), {}],
    [
      "an instance with fields",
      new (class Shoe {
        size = 42;
      })(),
      { size: 42 },
    ],
    ["one object twice, which is no cycle", ((o) => [o, o])({ a: 1 }), [{ a: 1 }, { a: 1 }]],
  ])) {
    test(`${name} is kept without a warning`, () => {
      assert.deepEqual(encoded(value), plain);
      assert.equal(warn.mock.callCount(), 0);
    });
  }

  test("a map is an object, whatever its keys are", () => {
    const map = new Map(
      /** @type {[unknown, number][]} */ ([
        ["a", 1],
        [2, 2],
        [null, 3],
        [{ x: 1 }, 4],
        [3n, 5],
      ]),
    );
    assert.deepEqual(encoded(map), { a: 1, 2: 2, null: 3, '{"x":1}': 4, 3: 5 });
    assert.equal(warn.mock.callCount(), 0);
  });

  test("a key called __proto__ is a key like any other", () => {
    const value = JSON.parse('{"__proto__": {"isAdmin": true}, "a": 1}');
    const { content, structuredContent } = succeeded("a", value);
    assert.equal(content[0].text, '{"__proto__":{"isAdmin":true},"a":1}');
    assert.equal(structuredContent?.isAdmin, undefined);
    assert.equal(/** @type {any} */ ({}).isAdmin, undefined);
  });
});

describe("what has no meaning outside of the page", () => {
  class Cart extends EventTarget {
    items = 3;
  }
  for (const [name, value, placeholder] of /** @type {[string, unknown, unknown][]} */ ([
    ["a function", fail, "<function>"],
    ["a symbol", Symbol("secret"), "<symbol>"],
    ["a class", Cart, "<function>"],
    ["a node of the page", new Cart(), "<Cart>"],
    ["an error", new RangeError("secret"), "<RangeError>"],
    ["an error with fields", Object.assign(new Error("secret"), { code: "X" }), "<Error>"],
    ["a promise", Promise.resolve(1), "<Promise>"],
    ["a weak map", new WeakMap(), "<WeakMap>"],
    ["an expression", /x/, "<RegExp>"],
    ["a file", new Blob(["x"]), "<Blob>"],
    ["a generator", (function* () {})(), "<object>"],
    ["a symbol among a map's keys", new Map([[Symbol("x"), 1]]), { "<symbol>": 1 }],
    ["an object that throws when it writes itself", { toJSON: fail }, "<Object>"],
    [
      "one of many fields that throws",
      {
        a: 1,
        get b() {
          return fail();
        },
      },
      { a: 1, b: "<Object>" },
    ],
    ["a proxy that throws", proxy(fail), "<object>"],
    [
      "a proxy that throws what cannot be read",
      proxy(() => {
        throw Object.create(null);
      }),
      "<object>",
    ],
    [
      "a proxy that is revoked",
      ((p) => (p.revoke(), p.proxy))(Proxy.revocable({}, {})),
      "<object>",
    ],
    [
      "a constructor that throws",
      {
        a: fail,
        get constructor() {
          return fail();
        },
      },
      { a: "<function>", constructor: "<object>" },
    ],
  ])) {
    test(`${name} is a placeholder, and the console is warned once`, () => {
      assert.deepEqual(encoded(value), placeholder);
      assert.match(warned(), /^webtools: a returned what JSON cannot hold: /);
      assert.doesNotMatch(warned(), /secret/);
    });
  }

  for (const value of [fail, Symbol("x"), proxy(fail), new Cart()]) {
    test(`also as the whole value, here ${typeof value}`, () => {
      assert.match(succeeded("a", value).structuredContent?.result, /^<\w+>$/);
      warned();
    });
  }

  for (const [name, close] of Object.entries({
    object: (/** @type {any} */ inner) => ({ inner }),
    list: (/** @type {any} */ inner) => [inner],
    set: (/** @type {any} */ inner) => new Set([inner]),
    map: (/** @type {any} */ inner) => new Map([["inner", inner]]),
  })) {
    test(`a cycle through a ${name} is cut where it closes`, () => {
      /** @type {any} */
      const value = { n: 1 };
      value.self = close(value);
      const text = JSON.stringify(encoded(value));
      assert.match(text, /"<Object>"/);
      assert.match(warned(), /Object contains itself/);
    });
  }

  test("an object that writes itself as itself is cut", () => {
    const value = { toJSON: () => value };
    assert.equal(encoded(value), "<Object>");
  });

  test("what is nested too deeply is cut, and no stack overflows", () => {
    /** @type {any} */
    let value = "core";
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    assert.match(JSON.stringify(encoded(value)), /^\[{39}"<Array>"/);
    assert.match(warned(), /nested too deeply/);
    warn.mock.resetCalls();
    const endless = () => ({ toJSON: endless });
    assert.match(encoded(endless()), /^<Object>$/);
  });

  describe("more than 250,000 values", () => {
    /** @param {unknown} value @returns {[any, string[]]} */
    function cut(value) {
      const encoder = new Encoder();
      const plain = encoder.encode(value);
      return [plain, encoder.lost];
    }
    const why = "is cut after 250000 values in all";

    const endless = Object.assign([], {
      *[Symbol.iterator]() {
        for (;;) yield 1;
      },
    });

    for (const [name, value] of Object.entries({
      "a list": new Array(4e9),
      "a set": new Set(Array(300_000).keys()),
      "a list that never ends": endless,
    })) {
      test(`${name} has its first ones, and says that there is more`, () => {
        const [plain, lost] = cut(value);
        const kind = value.constructor.name;
        assert.equal(plain.length, 250_001);
        assert.equal(plain.at(-1), `<${kind}>`);
        assert.deepEqual(lost, [`${kind} ${why}`]);
      });
    }

    for (const [name, whole] of /** @type {[string, (each: number[]) => object][]} */ ([
      ["an object", (each) => ({ ...each })],
      ["a map", (each) => new Map(each.entries())],
    ])) {
      test(`${name} says it in a member of its own`, () => {
        const value = whole(Array.from({ length: 250_001 }, () => 0));
        const kind = value.constructor.name;
        const [plain, lost] = cut(value);
        assert.equal(Object.keys(plain).length, 250_001);
        assert.equal(plain[`<${kind}>`], `<${kind}>`);
        assert.deepEqual(lost, [`${kind} ${why}`]);
      });
    }

    test("250,000 are not more", () => {
      assert.deepEqual(cut(Array(250_000).fill(0))[1], []);
    });

    for (const [name, join] of Object.entries({
      lists: (/** @type {unknown} */ inner) => [inner, inner],
      objects: (/** @type {unknown} */ inner) => ({ a: inner, b: inner }),
    })) {
      test(`${name} that share their parts again and again are cut at each level once`, () => {
        /** @type {unknown} */
        let value = 1;
        for (let depth = 1; depth < 40; depth += 1) value = join(value);
        const [, lost] = cut(value);
        assert.ok(lost.length > 0 && lost.length < 40);
        assert.ok(lost.every((each) => each.endsWith(why)));
      });
    }

    test("are more text than an answer may have, so the agent reads how to ask for less", () => {
      const answer = succeeded("a", Array(300_000).fill(0));
      assert.deepEqual(verdict(answer), ["ANSWER_TOO_LONG", "done", false]);
      assert.match(warned(), /Array is cut after/);
    });
  });

  test("a thousand of them are one short line in the console", () => {
    encoded(Array.from({ length: 1000 }, () => fail));
    assert.ok(warned().length < 200);
  });
});

describe("an error that is returned", () => {
  const said = { code: "SOLD_OUT", message: "none left" };

  test("is the same as one that is thrown", () => {
    const given = { ...said, details: { sku: "a" }, retryable: true, effect: "none" };
    const answer = succeeded("a", { error: given });
    assert.deepEqual(answer, {
      content: [{ type: "text", text: "none left" }],
      structuredContent: { error: given },
      isError: true,
    });
    assert.deepEqual(thrown("a", Object.assign(new Error(), given)), answer);
    assert.equal(error.mock.callCount(), 0);
  });

  test("has an unknown effect and no retry, unless it says so properly", () => {
    const unclear = { ...said, retryable: "yes", effect: "great", details: null };
    assert.deepEqual(succeeded("a", { error: said }), succeeded("a", { error: unclear }));
    assert.deepEqual(verdict(succeeded("a", { error: said })), ["SOLD_OUT", "unknown", false]);
  });

  for (const value of [
    { error: said, more: 1 },
    { error: "none left" },
    { error: null },
    { error: { code: 7, message: "m" } },
    { error: { code: "X" } },
    [{ error: said }],
  ]) {
    test(`is none where it has another shape: ${JSON.stringify(value)}`, () => {
      assert.equal(succeeded("a", value).isError, undefined);
    });
  }
});

describe("an error that is thrown", () => {
  test("with a code is the author's: its words reach the agent, and not the console", () => {
    const own = Object.assign(new Error("none left \ud800"), { code: "SOLD_OUT", details: [fail] });
    const answer = thrown("a", own);
    assert.deepEqual(verdict(answer), ["SOLD_OUT", "unknown", false]);
    assert.equal(answer.content[0].text, "none left \ufffd");
    assert.deepEqual(answer.structuredContent?.error.details, ["<function>"]);
    assert.equal(error.mock.callCount(), 0);
  });

  for (const [name, given, kind] of /** @type {[string, unknown, string][]} */ ([
    ["an error", new RangeError("secret"), "RangeError"],
    ["an error of the platform", new DOMException("secret", "NotFoundError"), "NotFoundError"],
    ["an error without a name", Object.assign(new Error("secret"), { name: "" }), "object"],
    ["a text", "secret: the key", "string"],
    ["an object with a message", { message: "secret" }, "object"],
    ["an object with a numeric code", { message: "secret", code: 404 }, "object"],
    ["an error whose message is no text", { code: "X", message: { secret: 1 } }, "object"],
  ])) {
    test(`${name} is for the console; the agent reads its kind only`, () => {
      const answer = thrown("a", given);
      assert.deepEqual(verdict(answer), ["TOOL_HANDLER_ERROR", "unknown", false]);
      assert.ok(answer.content[0].text.startsWith(`a failed with ${kind}, an error of the page`));
      assert.doesNotMatch(JSON.stringify(answer), /secret/);
      assert.deepEqual(error.mock.calls[0].arguments, ["webtools: a threw", given]);
      assert.equal(error.mock.callCount(), 1);
    });
  }

  for (const given of [...UNREADABLE, proxy(fail), NaN, fail]) {
    test(`is answered whatever it is, here ${typeof given}`, () => {
      assert.equal(verdict(thrown("a", given))[0], "TOOL_HANDLER_ERROR");
    });
  }
});

describe("the ceiling of an answer's text", () => {
  const full = "靴".repeat(100_000);

  test("is 100,000 characters, however many units they have", () => {
    assert.equal(succeeded("a", full).content[0].text, full);
    assert.equal(succeeded("a", "😀".repeat(100_000)).isError, undefined);
  });

  for (const [name, value, chars] of /** @type {[string, unknown, number][]} */ ([
    ["a text", `${full}!`, 100_001],
    ["an object's JSON", { n: full }, 100_008],
    ["a list's JSON", [full], 100_015],
  ])) {
    test(`refuses ${name} above it, with the effect done`, () => {
      const answer = succeeded("a", value);
      assert.deepEqual(verdict(answer), ["ANSWER_TOO_LONG", "done", false]);
      assert.match(answer.content[0].text, /Narrow it with query, limit\.$/);
      const { details } = answer.structuredContent?.error;
      assert.deepEqual(details, {
        chars,
        max_chars: 100_000,
        parameters: ["query", "limit"],
      });
      assert.ok(answer.content[0].text.length < 200);
    });
  }

  test("of a tool that only reads may be asked for again, and one without parameters names none", () => {
    const annotations = { readOnlyHint: true };
    const answer = answered("a", `${full}!`, JSON.stringify({ name: "a", annotations }));
    assert.deepEqual(verdict(answer), ["ANSWER_TOO_LONG", "done", true]);
    assert.match(answer.content[0].text, /may return\.$/);
  });
});
