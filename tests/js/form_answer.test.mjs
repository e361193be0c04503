import assert from "node:assert/strict";
import { test } from "node:test";

import { formAnswer, takeAnswer } from "../../static/form-answer.js";

/** @typedef {import("node:test").TestContext} TestContext */

/** A form, as far as it is looked at. */
class FakeForm {
  isConnected = true;
  /** @param {string} name */
  getAttribute(name) {
    return name === "toolname" ? "order" : null;
  }
}

/**
 * A submit event that is being dispatched, and a clock that stands still.
 *
 * @param {TestContext} context @param {object} [members]
 */
function submission(context, members) {
  const page = /** @type {any} */ (globalThis);
  page.Element = FakeForm;
  context.after(() => delete page.Element);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {any[]} */
  const given = [];
  const event = {
    type: "submit",
    eventPhase: 3,
    target: new FakeForm(),
    defaultPrevented: false,
    agentInvoked: true,
    preventDefault() {
      this.defaultPrevented = true;
    },
    /** @param {unknown} answer */
    respondWith(answer) {
      assert.ok(this.defaultPrevented); // as browsers have it
      given.push(answer);
    },
    ...members,
  };
  return { event: /** @type {any} */ (event), given };
}

/** @param {unknown} value */
const textOf = async (value) => (await /** @type {any} */ (value)).content[0].text;

/** Lets promises go on, and macrotasks. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an agent is answered within the event, with a promise", async (context) => {
  const { event, given } = submission(context);
  void formAnswer(event, () => Promise.resolve({ number: 7 }));
  assert.equal(given.length, 1);
  assert.deepEqual(await given[0], {
    content: [{ type: "text", text: '{"number":7}' }],
    structuredContent: { number: 7 },
  });
});

test("the form may go half a second after the answer", async (context) => {
  const { event } = submission(context);
  let isOut = false;
  const out = formAnswer(event, "done").then((answer) => {
    isOut = true;
    return answer;
  });
  await turn();
  context.mock.timers.tick(499);
  await turn();
  assert.equal(isOut, false);
  context.mock.timers.tick(1);
  assert.equal(await textOf(out), "done");
});

test("a person's submission is answered at once, and nobody else hears of it", async (context) => {
  const { event, given } = submission(context, { agentInvoked: false });
  assert.equal(await textOf(formAnswer(event, "done")), "done");
  assert.ok(event.defaultPrevented);
  assert.deepEqual(given, []);
});

test("React's event stands for the browser's", async (context) => {
  const { event, given } = submission(context);
  const synthetic = { nativeEvent: event, preventDefault: () => event.preventDefault() };
  void formAnswer(synthetic, "done");
  assert.equal(await textOf(given[0]), "done");
});

test("what is thrown, now or later, is an answer", async (context) => {
  const { event, given } = submission(context);
  const failed = Object.assign(new Error("Sold out."), { code: "SOLD_OUT" });
  void formAnswer(event, () => {
    throw failed;
  });
  void formAnswer(event, Promise.reject(failed));
  for (const answer of given) {
    assert.equal((await answer).structuredContent.error.code, "SOLD_OUT");
  }
});

test("an answer that does not come is a timeout", async (context) => {
  const { event, given } = submission(context);
  void formAnswer(event, new Promise(() => {}));
  context.mock.timers.tick(60_000);
  assert.equal((await given[0]).structuredContent.error.code, "TOOL_TIMEOUT");
});

test("a form that is gone when it is answered is told once", async (context) => {
  const { event } = submission(context);
  const warn = context.mock.method(console, "warn", () => {});
  void formAnswer(event, "done");
  event.target.isConnected = false;
  while (warn.mock.callCount() === 0) await turn();
  assert.match(warn.mock.calls[0]?.arguments[0], /^webtools: the form order has left the document/);
});

test("whoever has submitted the form for an agent takes the answer", async (context) => {
  const { event, given } = submission(context, { agentInvoked: false });
  /** @type {unknown[]} */
  const taken = [];
  takeAnswer(event, (answer) => taken.push(answer));
  void formAnswer(event, "done");
  assert.equal(await textOf(taken[0]), "done");
  assert.deepEqual(given, []);
});

test("a submission that is over is refused, and no answer is begun", (context) => {
  const { event } = submission(context, { eventPhase: 0 });
  const answer = context.mock.fn();
  assert.throws(
    () => formAnswer(event, answer),
    /TypeError: webtools.formAnswer: the event is over/,
  );
  assert.throws(() => formAnswer({ type: "click" }, answer), /give the submit event/);
  assert.equal(answer.mock.callCount(), 0);
});
