/** A change of route as one verb, on a page that has to do without Python, and while Python comes and goes. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { deferred, forbidWarnings, verdict } from "./fakes.mjs";
import { World } from "./world.mjs";

forbidWarnings();

const A_MINUTE = 60_000;

/** @typedef {import("../../static/route-change.js").RouteChange} RouteChange */

/** A page that can come to a route. @param {import("node:test").TestContext} context @param {any} [options] */
function newWorld(context, options) {
  const world = new World(context, options);
  /** @param {string} name @param {RouteChange} route @param {any} [holdOptions] */
  function name(name, route, holdOptions) {
    route.define(
      { name, description: "d" },
      (input, context) => {
        const end = deferred();
        world.entered.push({ context, input, definition: { name }, promise: end });
        return end.promise;
      },
      holdOptions,
    );
  }
  const go = async (/** @type {string[]} */ ...names) => {
    const gone = world.border.routes.navigate((route) =>
      names.forEach((each) => name(each, route)),
    );
    await world.advance();
    await gone;
    await world.advance();
  };
  return { world, name, go };
}

/** What the browser was asked for, without the times. @param {World} world */
const asked = (world) => world.traffic.map((line) => line.slice(line.indexOf(" ") + 1));

describe("a change of route", () => {
  test("holds what it names once its function has ended", async (context) => {
    const { world, name } = newWorld(context);
    const loaded = deferred();
    const gone = world.border.routes.navigate(async (route) => {
      name("a", route);
      await loaded.promise;
    });
    await world.advance(100);
    assert.deepEqual(world.traffic, []);
    loaded.resolve();
    await world.advance();
    await gone;
    assert.deepEqual(asked(world), ["register a"]);
  });

  test("makes calls of the old route stale at once, and answers new ones so", async (context) => {
    const { world, name, go } = newWorld(context);
    await go("a");
    const call = await world.call("a");
    const loaded = deferred();
    const gone = world.border.routes.navigate(async (route) => {
      assert.equal(call.context.isCurrent(), false);
      name("b", route);
      await loaded.promise;
    });
    assert.equal(call.context.isCurrent(), false);
    assert.equal(world.tool("a").state, "leaving");
    const refused = await world.call("a");
    call.finish();
    await world.advance(1000);
    assert.deepEqual(verdict(refused.answer), ["STALE_TOOL_CALL", "none", false]);
    assert.ok(call.answer);
    assert.deepEqual(asked(world), ["register a"]);
    loaded.resolve();
    await world.advance();
    await gone;
    assert.deepEqual(asked(world), ["register a", "register b", "unregister a"]);
    await world.advance(A_MINUTE);
    assert.equal(world.loop.timers.size, 0);
  });

  test("does not lose the answer of a call, however short it is", async (context) => {
    const { world, go } = newWorld(context);
    await go("a");
    const call = await world.call("a");
    await go("b");
    call.finish("done");
    await world.advance(A_MINUTE);
    assert.equal(call.answer.content[0].text, "done");
    assert.equal(world.traffic.at(-1), "500 unregister a");
  });

  for (const ms of [0, 4900]) {
    test(`of ${ms} ms keeps what both routes name, but its old calls are stale`, async (context) => {
      const { world, name, go } = newWorld(context);
      await go("a");
      const old = await world.call("a");
      const loaded = deferred();
      world.border.routes.navigate(async (route) => {
        await loaded.promise;
        name("a", route);
      });
      await world.advance(ms);
      loaded.resolve();
      await world.advance();
      const fresh = await world.call("a");
      assert.deepEqual(
        [old, fresh].map((call) => call.context.isCurrent()),
        [false, true],
      );
      await world.advance(10_000);
      assert.equal(fresh.context.isCurrent(), true);
      assert.deepEqual(asked(world), ["register a"]);
    });
  }

  test("that names a tool again in the same tick leaves it none of its old calls", async (context) => {
    const { world, name, go } = newWorld(context);
    await go("a");
    const old = await world.call("a");
    const isCurrent = [];
    const gone = world.border.routes.navigate((route) => {
      isCurrent.push(old.context.isCurrent());
      name("a", route);
    });
    await gone;
    isCurrent.push(old.context.isCurrent());
    await world.advance();
    isCurrent.push(old.context.isCurrent(), (await world.call("a")).context.isCurrent());
    assert.deepEqual(isCurrent, [false, false, false, true]);
    assert.deepEqual(asked(world), ["register a"]);
  });

  test("keeps no tool of the old route for more than five seconds", async (context) => {
    const { world, go } = newWorld(context);
    await go("a");
    const loaded = deferred();
    world.border.routes.navigate(() => loaded.promise);
    await world.advance(A_MINUTE);
    assert.deepEqual(world.traffic.slice(1), ["5000 unregister a"]);
  });

  test("keeps the calls of a tool that is not the route's, also where the route names it, too", async (context) => {
    const { world, go } = newWorld(context);
    world.define("a");
    await go("a", "b");
    const calls = [await world.call("a"), await world.call("b")];
    await go("c");
    assert.deepEqual(
      calls.map((call) => call.context.isCurrent()),
      [true, false],
    );
  });

  test("that throws holds nothing new, and its error goes on", async (context) => {
    const { world, name, go } = newWorld(context);
    await go("a");
    const gone = world.border.routes.navigate(async (route) => {
      name("b", route);
      throw new RangeError("no such order");
    });
    await assert.rejects(gone, { name: "RangeError", message: "no such order" });
    await world.advance(A_MINUTE);
    assert.deepEqual(asked(world), ["register a", "unregister a"]);
  });

  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    test(`that is newer wins, whichever ends first: ${order}`, async (context) => {
      const { world, name } = newWorld(context);
      const ends = [deferred(), deferred()];
      /** @type {RouteChange[]} */
      const routes = [];
      const gone = ["a", "b"].map((tool, index) =>
        world.border.routes.navigate(async (route) => {
          routes.push(route);
          name(tool, route);
          await ends[index].promise;
        }),
      );
      assert.deepEqual(
        routes.map((route) => route.isCurrent()),
        [false, true],
      );
      for (const index of order) {
        ends[index].resolve();
        await world.advance();
        await gone[index];
        assert.deepEqual(
          routes.map((route) => route.isCurrent()),
          [false, true],
        );
      }
      await world.advance(A_MINUTE);
      assert.deepEqual(asked(world), ["register b"]);
    });
  }

  test("closes what the old route asks the person, and nothing else", async (context) => {
    const { world, go } = newWorld(context);
    /** @type {AbortSignal[]} */
    const signals = [];
    world.border.confirmations.ask = (
      /** @type {any} */ _question,
      /** @type {AbortSignal} */ signal,
    ) => {
      signals.push(signal);
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve(signal.reason)),
      );
    };
    world.define("kept");
    await go("a");
    const calls = [await world.call("a"), await world.call("kept")];
    for (const call of calls) call.context.confirm("Sure?").catch(call.fail);
    await world.advance();
    world.border.routes.navigate(() => {});
    assert.deepEqual(
      signals.map(({ reason }) => reason),
      ["stale", undefined],
    );
    await world.advance(1000);
    assert.deepEqual(
      calls.map(({ code }) => code),
      ["UI_CONTEXT_CLOSED", undefined],
    );
  });

  test("refuses what cannot be held where it is named, and whatever is named too late", async (context) => {
    const { world } = newWorld(context);
    /** @type {any} */
    let late;
    await world.border.routes.navigate((route) => {
      late = route;
      assert.throws(() => route.hold("no name"), TypeError);
      assert.throws(() => route.define(/** @type {any} */ ({ name: "a" })), TypeError);
    });
    assert.throws(() => late.hold("a"), /before the function ends/);
    await assert.rejects(world.border.routes.navigate(/** @type {any} */ (5)), TypeError);
  });
});

describe("while Python comes", () => {
  const python = { is_current: () => true };

  test("an open change goes on there: what the old route held is handed over to be kept", async (context) => {
    const { world, name, go } = newWorld(context, { python });
    world.border.expectPython();
    await go("a");
    const loaded = deferred();
    const gone = world.border.routes.navigate(async (route) => {
      name("b", route);
      route.hold("theirs", { resourceId: "doc-1" });
      await loaded.promise;
    });
    const state = world.attachPython();
    assert.deepEqual(
      state.slots.map((/** @type {any} */ { name, isKept }) => [name, isKept]),
      [["a", true]],
    );
    assert.deepEqual(world.python.calls, [["begin_route"]]);
    loaded.resolve();
    await world.advance();
    await gone;
    assert.deepEqual(world.python.calls.slice(1), [
      ["hold", 2, "b", '{"name":"b","description":"d"}', undefined, undefined],
      ["hold", 3, "theirs", undefined, "doc-1", undefined],
      ["end_route"],
    ]);
  });

  test("a change is told to Python, which is told first what JavaScript's part of the old route was", async (context) => {
    const { world, go } = newWorld(context, { python });
    world.attachPython();
    await go("a");
    world.python.calls.length = 0;
    await go();
    assert.deepEqual(world.python.calls, [["retire", 1], ["begin_route"], ["end_route"]]);
  });

  test("a change that Python begins takes what JavaScript holds for the route, and beats one that is open", async (context) => {
    const { world, name, go } = newWorld(context, { python });
    world.attachPython();
    await go("a");
    const loaded = deferred();
    const gone = world.border.routes.navigate(async (route) => {
      name("b", route);
      await loaded.promise;
    });
    world.python.calls.length = 0;
    world.border.port.routeBegan();
    loaded.resolve();
    await gone;
    assert.deepEqual(world.python.calls, []);
    await go("c");
    world.python.calls.length = 0;
    world.border.port.routeBegan();
    assert.deepEqual(world.python.calls, [["retire", 2]]);
  });

  test("a change that is open when Python dies goes on without it", async (context) => {
    const { world, name } = newWorld(context, { python });
    world.attachPython();
    const loaded = deferred();
    const gone = world.border.routes.navigate(async (route) => {
      name("a", route);
      await loaded.promise;
    });
    world.border.die("no memory");
    loaded.resolve();
    await world.advance();
    await gone;
    assert.deepEqual(asked(world), ["register a"]);
  });
});
