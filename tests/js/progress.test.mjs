import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Progress } from "../../static/progress.js";

/** What is told, and one call's reporter. @param {number} [iteration] */
function newReporter(iteration = 0) {
  /** @type {[string, string, import("../../static/progress.js").Report][]} */
  const told = [];
  const progress = new Progress((...each) => void told.push(each));
  return { progress, told, ...progress.reporter("search", "c1", iteration) };
}

/** The sentence of one report. @param {unknown} payload */
function messageOf(payload) {
  const { report, told } = newReporter();
  report(payload);
  return told[0][2].message;
}

/** What the console is warned of from now on. @param {import("node:test").TestContext} context */
function warned(context) {
  /** @type {string[]} */
  const lines = [];
  context.mock.method(console, "warn", (/** @type {string} */ line) => lines.push(line));
  return lines;
}

describe("C13: the message of a report", () => {
  for (const [name, payload, message] of /** @type {[string, unknown, string][]} */ ([
    ["is stripped", { message: "  half way\n" }, "half way"],
    ["of 120 characters is shown as it is", { message: "x".repeat(120) }, "x".repeat(120)],
    ["of 160 is cut", { message: "x".repeat(160) }, `${"x".repeat(120)}… (+40 more)`],
    ["is counted in code points", { message: "😀".repeat(121) }, `${"😀".repeat(120)}… (+1 more)`],
    ["that is blank is a generic one", { message: " \n" }, "search reported progress (1)"],
    ["that is no text is a generic one", { message: 7 }, "search reported progress (1)"],
    ["of a bare number is a generic one", 7, "search reported progress (1)"],
    ["of a bare text is a generic one", "half way", "search reported progress (1)"],
    ["of a list is a generic one", [{ message: "a" }], "search reported progress (1)"],
    ["of nothing is a generic one", undefined, "search reported progress (1)"],
  ])) {
    test(name, () => assert.equal(messageOf(payload), message));
  }

  test("that is generic counts all reports of the call so far", () => {
    const { progress, report, told } = newReporter();
    report({ message: "first" });
    report({});
    progress.reporter("search", "c2", 0).report({});
    assert.deepEqual(
      told.map(([, callId, { message }]) => [callId, message]),
      [
        ["c1", "first"],
        ["c1", "search reported progress (2)"],
        ["c2", "search reported progress (1)"],
      ],
    );
  });
});

describe("a report", () => {
  test("is stamped with its call, which the payload cannot change", () => {
    const { report, told } = newReporter(3);
    const payload = { tool: "other", callId: "c9", iteration: 9, done: 1, total: 4 };
    report(payload);
    const message = "search reported progress (1)";
    const detail = { iteration: 3, progress: payload, message, done: 1, total: 4 };
    assert.deepEqual(told, [["search", "c1", detail]]);
  });

  test("keeps the payload as it was", () => {
    const { report, told } = newReporter();
    const payload = { rows: [1] };
    report(payload);
    payload.rows.push(2);
    assert.deepEqual(told[0][2].progress, { rows: [1] });
  });

  test("has the numbers that drive a bar only where they are numbers", () => {
    const { report, told } = newReporter();
    report({ done: "1", total: NaN });
    report([1, 2]);
    for (const [, , detail] of told) assert.deepEqual(Object.keys(detail).slice(3), []);
  });
});

describe("C14: a payload that is not plain data", () => {
  test("is dropped and counted, and the console warned once for each tool", (context) => {
    const lines = warned(context);
    const { progress, report, told } = newReporter();
    report(() => 1);
    report({ node: new Error("x") });
    report({});
    progress.reporter("other", "c2", 0).report(Symbol("x"));
    assert.deepEqual(
      told.map(([, , { message }]) => message),
      ["search reported progress (3)"],
    );
    assert.equal(lines.length, 2);
    assert.match(
      lines[0],
      /^webtools: search reported progress that is not plain data.*function is/,
    );
  });

  test("never throws, whatever it is", (context) => {
    warned(context);
    const { report, told } = newReporter();
    const bad = {
      get message() {
        throw new Error("mine");
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const payload of [bad, proxy, Object.create(null), [[]]]) report(payload);
    assert.equal(told.length, 2);
  });
});
