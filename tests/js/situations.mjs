/**
 * What a page has done before Python takes over: each makes one entry of `tests/takeover.json`, from which the unit
 * tests of `webtools.browser.takeover` go on.
 */
import { readFile } from "node:fs/promises";

/** @typedef {import("./world.mjs").World} World */

/** By name, what Python is given. @type {Record<string, any>} */
export const TABLE = JSON.parse(
  await readFile(new URL("../takeover.json", import.meta.url), "utf8"),
);

/** @type {Record<string, (world: World) => Promise<void>>} */
export const SITUATIONS = {
  async nothing() {},

  async "a hold that waits for the context"(world) {
    world.define("a");
  },

  async "a registration that the browser is deciding on"(world) {
    world.oddities[1] = () => new Promise(() => {});
    world.attachContext();
    world.define("a");
  },

  async "a tool that was never called"(world) {
    await registered(world);
  },

  async "a release in this very tick"(world) {
    const hold = await registered(world);
    hold.release();
  },

  async "a call in flight"(world) {
    await registered(world);
    await world.call("a");
  },

  async "released while a call is in flight"(world) {
    const hold = await registered(world);
    await world.call("a");
    hold.release();
    await world.advance(1000);
  },

  async "released, 200 ms after its last call settled"(world) {
    const hold = await registered(world);
    (await world.call("a")).finish();
    await world.advance(100);
    hold.release();
    await world.advance(100);
  },

  async "a change of route is open"(world) {
    world.attachContext();
    const { routes } = world.border;
    await routes.navigate((route) => {
      route.define({ name: "a", description: "d" }, () => "done");
    });
    await world.advance();
    routes.navigate(() => new Promise(() => {}));
    await world.advance(100);
  },

  async "another definition, while a call is in flight"(world) {
    await registered(world);
    await world.call("a");
    world.define("a", { description: "new" });
    await world.advance();
  },

  async "two holds with resource and owner"(world) {
    const owner = {};
    await registered(world, { resourceId: "doc-1", owner });
    world.define("a", { resourceId: "doc-2", owner });
    await world.advance();
  },

  async "a registration that the browser refused"(world) {
    world.oddities[1] = () => Promise.reject(new DOMException("taken", "InvalidStateError"));
    await registered(world);
  },

  async "a wish for a tool of Python's"(world) {
    world.border.holds.hold("p", { resourceId: "doc-1", owner: {} });
  },

  async "calls in flight of two generations"(world) {
    const hold = await registered(world, { owner: {} });
    await world.call("a");
    hold.release();
    world.define("a", { owner: {} });
    await world.advance();
    await world.call("a");
  },

  async "another owner's hold in this very tick, and a call of it"(world) {
    const hold = await registered(world, { owner: {} });
    await world.call("a");
    hold.release();
    world.define("a", { owner: {} });
    world.callNamed("a");
  },

  async "a remount in this very tick, while a call is in flight"(world) {
    const hold = await registered(world);
    await world.call("a");
    hold.release();
    world.define("a");
  },

  async "a tool that came and went"(world) {
    world.border.goOnAlone("it did not start");
    (await registered(world)).release();
    await world.advance();
    world.border.expectPython();
  },

  async "a call by name without a registration, and a release"(world) {
    const hold = world.define("a");
    world.callNamed("a");
    hold.release();
    await world.advance();
  },

  async "a hold without a registration, released in this very tick"(world) {
    world.define("a").release();
  },

  async "promised tools, of which one is registered"(world) {
    world.attachContext();
    world.border.moved({ pathname: "/", hash: "" });
    world.promise([{ name: "a" }, { name: "b", match: ["/cart/*"] }, { name: "c", held: true }]);
    await world.advance();
  },

  async "a promised tool of the path, and one of a wish"(world) {
    world.attachContext();
    world.border.holds.hold("b", { resourceId: "doc-1", owner: {} });
    world.border.moved({ pathname: "/cart/1", hash: "" });
    world.promise([
      { name: "a", match: ["/cart/*"] },
      { name: "b", held: true },
    ]);
    await world.advance();
  },

  async "calls that wait for a promised tool"(world) {
    world.attachContext();
    world.promise([{ name: "a", timeout: 5 }]);
    await world.advance();
    await world.call("a", { input: { q: 1 } });
    await world.advance(1000);
    world.callNamed("a", undefined, JSON.stringify({ sessionId: "s" }));
    await world.advance(1000);
  },

  async "a call that waits for a promised tool whose path was left"(world) {
    world.attachContext();
    world.border.moved({ pathname: "/cart/1", hash: "" });
    world.promise([{ name: "a", match: ["/cart/*"] }]);
    await world.advance();
    await world.call("a");
    world.border.moved({ pathname: "/", hash: "" });
    await world.advance();
  },

  async "a catalogue"(world) {
    world.attachContext();
    for (const name of "cab") world.define(name);
    await world.advance();
  },
};

/** @param {World} world @param {any} [options] */
async function registered(world, options) {
  world.attachContext();
  const hold = world.define("a", options);
  await world.advance();
  return hold;
}

/** What Python is given, with names for the calls' ids. @param {World} world @returns {any} */
export function handedOver(world) {
  const state = world.attachPython();
  const calls = state.calls.map((/** @type {any} */ call, /** @type {number} */ index) => ({
    ...call,
    id: `call-${index + 1}`,
  }));
  return { ...state, calls };
}
