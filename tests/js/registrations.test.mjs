import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Registrations } from "../../static/registrations.js";
import { deferred, fakeContext, forbidWarnings, turn, UNREADABLE } from "./fakes.mjs";

forbidWarnings();

const DEFINITION = { name: "a", description: "d", inputSchema: { type: "object" } };
const TEXT = JSON.stringify(DEFINITION);
const OTHER = JSON.stringify({ ...DEFINITION, name: "b" });

/** @param {(tool: any, options: any) => any} [register] */
function newRegistrations(register) {
  /** @type {any[][]} */
  const told = [];
  const registrations = new Registrations({
    onCall: (...args) => (told.push(["call", ...args]), "answered"),
    onRegistered: (number) => told.push(["registered", number]),
    onRejected: (...args) => told.push(["rejected", ...args]),
    onLost: (number) => told.push(["lost", number]),
    onTarget: () => told.push(["target"]),
  });
  const context = fakeContext(register);
  registrations.attach(/** @type {any} */ (context));
  return { registrations, told, registered: context.registered };
}

describe("register", () => {
  test("gives the browser the definition, without what is an option of it", async () => {
    const { registrations, registered, told } = newRegistrations();
    registrations.register(1, TEXT);
    registrations.register(
      2,
      JSON.stringify({
        ...DEFINITION,
        exposedTo: ["https://p.example"],
        confirm: "Sure?",
        target: "#b",
        name: "b",
      }),
    );
    const [first, second] = registered;
    const { execute, ...definition } = first.tool;
    assert.deepEqual(definition, DEFINITION);
    assert.equal("exposedTo" in first.options, false);
    assert.equal("exposedTo" in second.tool, false);
    assert.equal("confirm" in second.tool, false);
    assert.equal("target" in second.tool, false);
    assert.deepEqual(second.options.exposedTo, ["https://p.example"]);
    await registrations.decided();
    assert.deepEqual(told, [["target"], ["registered", 1], ["registered", 2]]);
  });

  test("what a tool says of itself is found by its name while it is there", () => {
    const { registrations } = newRegistrations();
    registrations.register(1, JSON.stringify({ ...DEFINITION, title: "A", target: "#a" }));
    assert.equal(registrations.definitionOf("a")?.title, "A");
    assert.equal(registrations.definitionOf("a")?.target, "#a");
    registrations.unregister(1);
    assert.equal(registrations.definitionOf("a"), undefined);
  });

  test("an execute callback knows its registration, and gives its owner's answer", () => {
    const { registrations, registered, told } = newRegistrations();
    registrations.register(3, TEXT);
    const { signal } = new AbortController();
    const [{ tool }] = registered;
    assert.equal(tool.execute({ n: 1 }, { signal }), "answered");
    assert.equal(tool.execute("{}"), "answered");
    assert.deepEqual(told, [
      ["call", 3, "a", { n: 1 }, signal],
      ["call", 3, "a", "{}", undefined],
    ]);
  });

  for (const [how, register] of Object.entries({
    "throws at once": () => {
      throw new DOMException("it is taken", "InvalidStateError");
    },
    rejects: () => Promise.reject(new DOMException("it is taken", "InvalidStateError")),
  })) {
    test(`a browser that ${how} has refused, in its own words`, async () => {
      const { registrations, registered, told } = newRegistrations(register);
      registrations.register(1, TEXT);
      await registrations.decided();
      assert.deepEqual(told, [["rejected", 1, "InvalidStateError: it is taken"]]);
      assert.deepEqual(registrations.list(), []);
      registrations.unregister(1);
      const { aborted } = registered[0].options.signal;
      assert.equal(aborted, false, "its abort could remove another tool of that name");
    });
  }

  for (const thrown of UNREADABLE) {
    test(`a browser that rejects with ${typeof thrown} has refused all the same`, async () => {
      const { registrations, told } = newRegistrations(() => Promise.reject(thrown));
      registrations.register(1, TEXT);
      await registrations.decided();
      const [[what, number, reason]] = told;
      assert.deepEqual([what, number, typeof reason], ["rejected", 1, "string"]);
    });
  }

  test("a browser that returns no promise has accepted", async () => {
    const { registrations, told } = newRegistrations(() => undefined);
    registrations.register(1, TEXT);
    await registrations.decided();
    assert.deepEqual(told, [["registered", 1]]);
  });

  test("keeps the highest number of all attempts, and a list of those that stand", async () => {
    const { registrations } = newRegistrations();
    assert.deepEqual([registrations.last, registrations.list()], [0, []]);
    registrations.register(4, TEXT);
    registrations.register(7, OTHER);
    registrations.unregister(7);
    assert.equal(registrations.last, 7);
    assert.deepEqual(registrations.list(), [{ number: 4, name: "a", text: TEXT }]);
  });
});

describe("unregister", () => {
  test("aborts that registration's own signal, harmless twice", () => {
    const { registrations, registered } = newRegistrations();
    registrations.register(1, TEXT);
    registrations.register(2, OTHER);
    registrations.unregister(1);
    registrations.unregister(1);
    registrations.unregister(99);
    const aborted = registered.map(({ options }) => options.signal.aborted);
    assert.deepEqual(aborted, [true, false]);
  });

  test("a rejection that it caused is no failure", async () => {
    const pending = deferred();
    const { registrations, registered, told } = newRegistrations(() => pending.promise);
    registrations.register(1, TEXT);
    registrations.unregister(1);
    pending.reject(registered[0].options.signal.reason);
    await registrations.decided();
    assert.deepEqual(told, []);
  });

  test("leaves a fresh controller to the next attempt", () => {
    const { registrations, registered } = newRegistrations();
    registrations.register(1, TEXT);
    registrations.unregister(1);
    registrations.register(2, TEXT);
    const [first, second] = registered.map(({ options }) => options.signal);
    assert.notEqual(first, second);
    assert.equal(second.aborted, false);
  });

  test("a late word on an older attempt takes nothing from a newer one", async () => {
    const [first, second] = [deferred(), deferred()];
    const outcomes = [first, second];
    const { registrations, told } = newRegistrations(() => outcomes.shift()?.promise);
    registrations.register(1, TEXT);
    registrations.unregister(1);
    registrations.register(2, TEXT);
    first.reject(new Error("late"));
    await turn();
    assert.deepEqual(told, []);
    assert.deepEqual(registrations.list(), [{ number: 2, name: "a", text: TEXT }]);
    second.resolve();
    await registrations.decided();
    assert.deepEqual(told, [["registered", 2]]);
  });
});

test("decided waits for those that were asked for until now, and for no later ones", async () => {
  const [first, second] = [deferred(), deferred()];
  const outcomes = [first, second];
  const { registrations, told } = newRegistrations(() => outcomes.shift()?.promise);
  await registrations.decided();
  registrations.register(1, TEXT);
  const decided = registrations.decided();
  registrations.register(2, OTHER);
  first.reject(new Error("no"));
  await decided;
  assert.deepEqual(told, [["rejected", 1, "Error: no"]]);
  second.resolve();
  await registrations.decided();
  assert.deepEqual(told[1], ["registered", 2]);
});
