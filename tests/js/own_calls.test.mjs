import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { OwnCalls } from "../../static/own-calls.js";
import { answerText, deferred, forbidWarnings } from "./fakes.mjs";

forbidWarnings();

const ANSWER = JSON.parse(answerText("done"));

describe("a call that Python makes", () => {
  test("has its answer as text, whether it comes at once or later", async () => {
    for (const answer of [ANSWER, Promise.resolve(ANSWER)]) {
      /** @type {any[]} */
      let given = [];
      const calls = new OwnCalls((...args) => {
        given = args;
        return answer;
      });
      assert.equal(await calls.make(1, "find", "{}", '{"runId":"r"}'), answerText("done"));
      assert.deepEqual([given[0], given[1], given[3]], ["find", "{}", '{"runId":"r"}']);
    }
  });

  test("is given up by its number, once it is over by none", async () => {
    const answers = [deferred(), deferred()];
    /** @type {AbortSignal[]} */
    const signals = [];
    const calls = new OwnCalls((_, __, signal) => answers[signals.push(signal) - 1].promise);
    const made = [calls.make(1, "a", "{}", "{}"), calls.make(2, "a", "{}", "{}")];
    calls.abort(1);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    for (const { resolve } of answers) resolve(ANSWER);
    await Promise.all(made);
    calls.abort(2);
    assert.equal(signals[1].aborted, false);
  });
});
