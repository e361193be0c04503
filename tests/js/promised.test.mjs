/** Tools that an app has promised, while Python is on its way. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings, verdict } from "./fakes.mjs";
import { POSTBACK_MS, World } from "./world.mjs";

forbidWarnings();

const REASON = "Python could not be started.";

/**
 * A page that expects Python, at /cart/1.
 *
 * @param {import("node:test").TestContext} context
 * @param {any[]} [tools] which an app has promised
 */
async function newWorld(context, tools = []) {
  const world = new World(context);
  world.border.expectPython();
  world.border.moved({ pathname: "/cart/1", hash: "" });
  world.promise(tools);
  await world.advance();
  return world;
}

describe("a promised tool", () => {
  test("is registered at once, as Python wrote it", async (context) => {
    const world = await newWorld(context, [{ name: "a", description: "Python's" }]);
    assert.deepEqual(await world.listed(), { a: "Python's" });
    assert.equal(world.tool("a").state, "registered");
  });

  test("waits for the model context", async (context) => {
    const world = new World(context, { hasContext: false });
    world.promise([{ name: "a" }]);
    assert.equal(world.tool("a").state, "waiting");
    world.attachContext();
    await world.advance();
    assert.equal(world.tool("a").state, "registered");
  });

  test("that others hold is registered once they do", async (context) => {
    const world = await newWorld(context, [{ name: "a", held: true }]);
    assert.deepEqual(world.traffic, []);
    const hold = world.border.holds.hold("a", { resourceId: "doc-1" });
    await world.advance();
    assert.deepEqual([hold.status, world.traffic], ["registered", ["0 register a"]]);
  });

  test("that is held already when it is promised is registered then", async (context) => {
    const world = await newWorld(context);
    const hold = world.border.holds.hold("a");
    assert.equal(hold.status, "unknown");
    world.promise([{ name: "a", held: true }]);
    await world.advance();
    assert.equal(hold.status, "registered");
  });

  test("of a path is registered where the path fits, and again when it comes to fit", async (context) => {
    const world = await newWorld(context, [
      { name: "a", match: ["/cart/*"] },
      { name: "b", match: ["/checkout", "#/checkout"] },
    ]);
    assert.deepEqual(world.traffic, ["0 register a"]);
    world.border.moved({ pathname: "/cart/1", hash: "#/checkout" });
    await world.advance();
    assert.deepEqual(world.traffic.slice(1), ["0 register b"]);
  });

  test("whose path is left stays until Python is up, and refuses", async (context) => {
    const world = await newWorld(context, [{ name: "a", match: ["/cart/*"] }]);
    world.border.moved({ pathname: "/", hash: "" });
    const call = await world.call("a");
    await world.advance(60_000);
    assert.equal(call.code, "STALE_TOOL_CALL");
    assert.deepEqual(world.traffic, ["0 register a"]);
    world.border.moved({ pathname: "/cart/2", hash: "" });
    assert.equal(world.tool("a").state, "registered");
  });

  test("of a path comes when an open change of route has ended", async (context) => {
    const world = await newWorld(context, [{ name: "a", match: ["/"] }, { name: "b" }]);
    await world.border.routes.navigate(() => {
      world.border.moved({ pathname: "/", hash: "" });
      assert.equal(world.tool("a"), undefined);
    });
    await world.advance();
    assert.equal(world.tool("a").state, "registered");
  });

  test("gives way to a tool of that name that JavaScript defines", async (context) => {
    const world = await newWorld(context, [{ name: "a" }]);
    world.define("a");
    const call = await world.call("a");
    call.finish("JavaScript's");
    await world.advance(POSTBACK_MS);
    assert.equal(call.answer.content[0].text, "JavaScript's");
    assert.deepEqual(world.traffic, ["0 register a"]);
  });

  test("is the first app's that promises it", async (context) => {
    const world = await newWorld(context, [{ name: "a" }]);
    world.promise([{ name: "a", description: "another" }], "https://shop.example/other.py");
    await world.advance();
    assert.deepEqual(await world.listed(), { a: "d" });
  });

  test("is not promised any more once Python has taken over", async (context) => {
    const world = await newWorld(context);
    world.attachPython();
    world.promise([{ name: "a" }]);
    await world.advance();
    assert.deepEqual(world.traffic, []);
  });
});

describe("a call of a promised tool", () => {
  test("waits, is counted and is told of; it needs Python", async (context) => {
    const world = await newWorld(context, [{ name: "a" }]);
    assert.deepEqual(world.needs, []);
    const call = await world.call("a");
    await world.advance(59_000);
    assert.deepEqual([call.answer, call.lost], [undefined, undefined]);
    assert.equal(world.tool("a").inFlight, 1);
    assert.deepEqual(world.needs, ["call"]);
  });

  test("has the tool's own deadline", async (context) => {
    const world = await newWorld(context, [{ name: "a", timeout: 5 }]);
    const call = await world.call("a");
    await world.advance(4999);
    assert.equal("answer" in call, false);
    await world.advance(1 + POSTBACK_MS);
    assert.deepEqual(verdict(call.answer), ["TOOL_TIMEOUT", "none", false]);
    assert.match(call.answer.content[0].text, /within 5 s; it has done nothing/);
    assert.equal(world.tool("a").inFlight, 0);
  });

  test("may have a deadline longer than a timer can wait", async (context) => {
    const world = await newWorld(context, [{ name: "a", timeout: 1e9 }]);
    const call = await world.call("a");
    await world.advance(1000);
    assert.equal(call.answer, undefined);
  });

  test("is answered when its caller gives up", async (context) => {
    const world = await newWorld(context, [{ name: "a" }]);
    const controller = new AbortController();
    const call = world.callNamed("a", controller.signal);
    controller.abort();
    await world.advance();
    assert.deepEqual(verdict(call.answer), ["CANCELLED", "none", false]);
    assert.equal(world.tool("a").inFlight, 0);
    assert.equal(world.loop.timers.size, 0);
  });

  test("is answered when the page is left", async (context) => {
    const world = await newWorld(context, [{ name: "a" }]);
    const call = world.callNamed("a");
    world.border.leave(true);
    await world.advance();
    assert.deepEqual(verdict(call.answer), ["CANCELLED", "none", false]);
    assert.equal(world.loop.timers.size, 0);
  });

  test("is settled by Python, which hears of an abort", async (context) => {
    const world = await newWorld(context, [{ name: "a" }]);
    const controller = new AbortController();
    const [first, second] = [world.callNamed("a"), world.callNamed("a", controller.signal)];
    const { calls } = world.attachPython();
    world.border.port.settle(
      calls[0].id,
      JSON.stringify({ content: [{ type: "text", text: "late" }] }),
    );
    controller.abort();
    await world.advance();
    assert.equal(first.answer.content[0].text, "late");
    assert.equal(second.answer, undefined);
    assert.deepEqual(world.python.calls.at(-1), ["abort", calls[1].id]);
  });
});

describe("Python that does not come", () => {
  test("fails the calls that wait, and its tools go together after their grace", async (context) => {
    const world = await newWorld(context, [{ name: "a" }, { name: "b" }]);
    const call = await world.call("a");
    await world.advance(1000);
    world.border.goOnAlone(REASON);
    await world.advance(100);
    assert.deepEqual(verdict(call.answer), ["HOST_FAILED", "none", false]);
    assert.match(call.answer.content[0].text, /Python could not be started/);
    const refused = await world.call("b");
    await world.advance(POSTBACK_MS);
    assert.deepEqual(verdict(refused.answer), ["HOST_FAILED", "none", false]);
    await world.advance(60_000);
    assert.deepEqual(world.traffic.slice(2).sort(), ["1600 unregister a", "1600 unregister b"]);
    assert.deepEqual(world.border.states(), []);
    assert.equal(world.loop.timers.size, 0);
  });

  test("leaves the tools of JavaScript's, also of a promised name", async (context) => {
    const world = await newWorld(context, [{ name: "a" }, { name: "b" }]);
    world.define("b");
    world.define("c");
    world.border.goOnAlone(REASON);
    await world.advance(60_000);
    assert.deepEqual(Object.keys(await world.listed()), ["b", "c"]);
  });

  test("lets a wish wait for the next start, which promises the tool again", async (context) => {
    const world = await newWorld(context, [{ name: "a", held: true }]);
    const hold = world.border.holds.hold("a");
    await world.advance();
    world.border.goOnAlone(REASON);
    await world.advance(60_000);
    assert.equal(hold.status, "unknown");
    world.border.expectPython();
    world.promise([{ name: "a", held: true }]);
    await world.advance();
    assert.equal(hold.status, "registered");
  });
});

describe("what only Python does needs it, but not at once:", () => {
  test("a release that waits", async (context) => {
    const world = await newWorld(context);
    const hold = world.define("a");
    await world.advance();
    hold.release();
    assert.deepEqual(world.needs, []);
    await world.advance();
    assert.deepEqual(world.needs, ["other"]);
  });

  test("a hold of a tool that nobody has promised", async (context) => {
    const world = await newWorld(context, [{ name: "a", held: true }]);
    world.border.holds.hold("a");
    assert.deepEqual(world.needs, []);
    world.border.holds.hold("b");
    assert.deepEqual(world.needs, ["other"]);
  });
});
