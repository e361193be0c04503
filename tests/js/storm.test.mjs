/**
 * Any interleaving of owners, calls, time and an unfriendly browser, on a page without Python or one that loses it, by
 * the invariants of ../shared/spec/lifecycle.md. A failure names its seed; the same seed is the same storm.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { forbidWarnings } from "./fakes.mjs";
import { World } from "./world.mjs";

forbidWarnings();

const STORMS = 50;
const STEPS = 60;
const A_MINUTE = 60_000;
const CODES = [undefined, "STALE_TOOL_CALL", "TOOL_CHANGED", "HOST_FAILED"];

/** @typedef {import("./world.mjs").Call} Call */
/** @typedef {{name: string, options: any, hold: import("../../static/holds.js").Hold}} Held */

/** Numbers from 0 to below 1, the same for the same seed. @param {number} seed */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Storm {
  /** @type {Held[]} */
  held = [];
  /** @type {{name: string, call: Call}[]} */
  calls = [];
  /** @type {{name: string, call: Call}[]} */
  open = [];
  #owners = [undefined, {}, {}];

  /** @param {import("node:test").TestContext} context @param {number} seed */
  constructor(context, seed) {
    this.random = randomOf(seed);
    this.world = new World(context, { hasContext: false });
  }

  /** @template T @param {T[]} list @returns {T} */
  pick = (list) => list[Math.floor(this.random() * list.length)];

  /** @type {(() => void | Promise<void>)[]} */
  steps = [
    () =>
      this.#hold(this.pick(["a", "b"]), {
        description: this.pick(["one", "two"]),
        owner: this.pick(this.#owners),
        resourceId: this.pick([undefined, "doc"]),
      }),
    () => this.#release(),
    () => this.#release(),
    () => this.#remount(),
    () => this.#call(),
    () => this.#call(),
    () => this.#settle(),
    () => this.#settle(),
    () => this.world.advance(this.pick([0, 0, 10, 50, 300, 500, 2000])),
    () => this.#beUnfriendly(),
    () => this.#meetPython(),
  ];

  async step() {
    await this.pick(this.steps)();
    this.check();
  }

  /** @param {string} name @param {any} options */
  #hold(name, options) {
    this.held.push({ name, options, hold: this.world.define(name, options) });
  }

  #release() {
    const [gone] = this.held.splice(Math.floor(this.random() * this.held.length), 1);
    gone?.hold.release();
    return gone;
  }

  #remount() {
    const { traffic } = this.world;
    const states = new Map(this.held.map(({ name, hold }) => [name, hold.status]));
    const before = traffic.length;
    const newest = new Map(this.held.map((each) => [each.name, each]));
    const gone = this.#release();
    if (!gone) return;
    this.#hold(gone.name, gone.options);
    if (newest.get(gone.name) !== gone || states.get(gone.name) !== "registered") return;
    assert.equal(traffic.length, before, "a remount is no traffic");
  }

  async #call() {
    const name = this.pick(["a", "b"]);
    if (!this.world.tool(name)) return;
    const isAgents = this.random() < 0.7;
    if (isAgents && !(name in (await this.world.listed()))) return;
    const newest = this.held.findLast((each) => each.name === name);
    const call = isAgents ? await this.world.call(name) : this.world.callNamed(name);
    this.calls.push({ name, call });
    if (!call.context) return;
    this.open.push({ name, call });
    const { description } = /** @type {any} */ (this.world.entered.at(-1)).definition;
    assert.equal(description, newest?.options.description, "the handler of the newest hold");
  }

  #settle() {
    const [ended] = this.open.splice(Math.floor(this.random() * this.open.length), 1);
    if (!ended) return;
    const { finish, fail } = ended.call;
    if (this.random() < 0.8) finish("late");
    else fail({ code: "X", message: "no" });
    return this.world.advance();
  }

  /** The next attempt's outcome is late, a refusal, or both. */
  #beUnfriendly() {
    const { world } = this;
    const number = world.traffic.filter((each) => / register /.test(each)).length + 1;
    const isRefused = this.random() < 0.4;
    const delay = this.pick([0, 50, 1000]);
    world.oddities[number] = async (real) => {
      if (!isRefused) await real();
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (isRefused) throw new DOMException("no", "SecurityError");
    };
  }

  #meetPython() {
    const { border } = this.world;
    if (!border.hasContext && this.random() < 0.5) this.world.attachContext();
    else
      this.pick([
        () => border.expectPython(),
        () => border.goOnAlone("it did not start"),
        () => this.#lose(),
      ])();
  }

  /** Python takes over, and dies at once. */
  #lose() {
    this.world.attachPython();
    this.world.border.die("it died.");
  }

  /** What holds at any time. */
  check() {
    for (const { call } of this.calls) {
      assert.equal(call.lost, undefined, "a call is lost");
      if (call.code !== "X") assert.ok(CODES.includes(call.code), call.code);
    }
    for (const { name, inFlight, reason } of this.world.border.states()) {
      assert.equal(inFlight, this.open.filter((each) => each.name === name).length);
      assert.ok(!reason?.startsWith("InvalidStateError"), "two registrations of one name");
    }
    for (const { name, call } of this.open) {
      const isHeld = this.held.some((each) => each.name === name);
      assert.ok(isHeld || !call.context.isCurrent(), "current without a hold");
    }
  }

  /** When all is quiet, actual equals desired, and what nobody holds owns nothing. */
  async calmDown() {
    const { world } = this;
    if (!world.border.hasContext) world.attachContext();
    world.border.goOnAlone("it did not start");
    while (this.open.length > 0) await this.#settle();
    await world.advance(A_MINUTE);
    this.check();
    assert.ok(this.calls.every(({ call }) => call.answer));
    const desired = new Map(this.held.map(({ name, options }) => [name, options.description]));
    const listed = await world.listed();
    for (const [name, description] of desired) {
      const isFailed = world.tool(name).state === "failed";
      assert.equal(listed[name], isFailed ? undefined : description);
    }
    assert.deepEqual(
      Object.keys(listed).filter((name) => !desired.has(name)),
      [],
    );
    assert.equal(world.loop.timers.size, 0);
    while (this.held.length > 0) this.#release();
    await world.advance(A_MINUTE);
    assert.deepEqual(world.border.states(), []);
    assert.deepEqual(await world.listed(), {});
    assert.deepEqual([world.loop.timers.size, world.loop.tasks.length], [0, 0]);
  }
}

test("no storm loses a call, or leaves anything behind", async (context) => {
  for (let seed = 1; seed <= STORMS; seed += 1) {
    await context.test(`seed ${seed}`, async (inner) => {
      const storm = new Storm(inner, seed);
      for (let step = 0; step < STEPS; step += 1) await storm.step();
      await storm.calmDown();
    });
  }
});
