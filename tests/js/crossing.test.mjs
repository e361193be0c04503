import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Crossing } from "../../static/crossing.js";
import { fakeCrossing, fakePython, forbidWarnings } from "./fakes.mjs";

forbidWarnings();

const SIZE = 16;

/**
 * Python's side, which answers with what `answer` makes of a call's text, and the page's.
 *
 * @param {(text: string) => string | number | undefined} [answer]
 */
function crossed(answer = (text) => text) {
  /** @type {[string, string][]} */
  const settled = [];
  const border = {
    settle: (/** @type {string} */ id, /** @type {string} */ text) => settled.push([id, text]),
  };
  const { host: python } = fakePython({
    call: (_, __, text) => answer(text),
    call_named: (_, __, text) => answer(text),
  });
  const fake = fakeCrossing(python, SIZE);
  const host = new Crossing(/** @type {any} */ (border)).start(fake, false, "memory");
  return { fake, host, settled };
}

describe("crossing", () => {
  for (const text of ["{}", "é–🙂", "x".repeat(SIZE), "é".repeat(SIZE), "x".repeat(100_000)]) {
    test(`a text of ${text.length} units comes over and back: ${text.slice(0, 3)}`, () => {
      const { host } = crossed();
      assert.equal(host.call(1, "c1", text), text);
      assert.equal(host.call_named("a", "c2", text), text);
    });
  }

  test("an answer that is longer than the memory is read from the larger one", () => {
    const { host } = crossed((text) => text.repeat(1000));
    assert.equal(host.call(1, "c1", "abc"), "abc".repeat(1000));
    assert.equal(host.call(1, "c2", "short").length, 5000);
  });

  test("the memory is asked for anew when WebAssembly has moved it", () => {
    const { fake, host } = crossed();
    host.call(1, "c1", "before");
    fake.detach();
    assert.equal(host.call(1, "c2", "after"), "after");
    assert.equal(fake.capacity(), SIZE);
  });

  test("the memory grows by what a text needs, and no more", () => {
    const { fake, host } = crossed();
    host.call(1, "c1", "x".repeat(1000));
    assert.equal(fake.capacity(), 1000);
  });

  test("one proxy and one view are kept, however often the memory changes", () => {
    const { fake, host } = crossed();
    for (let size = 1; size < 100_000; size *= 4) host.call(1, "c", "x".repeat(size));
    assert.deepEqual(fake.open, { proxies: 1, views: 1 });
  });

  test("a negative number is the handler's, and undefined is an answer that comes later", () => {
    assert.equal(crossed(() => 7).host.call(1, "c1", "{}"), 7);
    assert.equal(crossed(() => undefined).host.call(1, "c1", "{}"), undefined);
  });

  test("a later answer is settled as text", () => {
    const { fake, host, settled } = crossed(() => undefined);
    host.call(1, "c1", "{}");
    fake.settle("c1", "é".repeat(SIZE));
    assert.deepEqual(settled, [["c1", "é".repeat(SIZE)]]);
  });

  test("what is no call goes to the host as it is", () => {
    assert.equal(crossed().host.states(), "[]");
  });
});
