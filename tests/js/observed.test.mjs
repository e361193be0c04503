import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Inspecting } from "../../static/inspecting.js";
import { answerText, forbidWarnings, replace, until } from "./fakes.mjs";
import { withTool, World } from "./world.mjs";

forbidWarnings();

/** @param {World} world @returns {any[]} what an observer of it is told */
function observed(world) {
  /** @type {any[]} */
  const told = [];
  world.border.observe((event) => void told.push(event));
  return told;
}

/** @param {any[]} told @param {string} what @returns {any[]} */
const only = (told, what) => told.filter((event) => event.what === what);

class Owner {}

describe("an observer of a page without Python", () => {
  test("is told of what there is, and of each change", async (context) => {
    const { world, hold } = await withTool(context);
    const told = observed(world);
    hold.release();
    assert.deepEqual(
      told.map(({ slot }) => [slot.name, slot.state, slot.wait?.what]),
      [
        ["a", "registered", undefined],
        ["a", "leaving", "macrotask"],
      ],
    );
  });

  test("is told what a tool waits for", async (context) => {
    const world = new World(context, { hasContext: false });
    const told = observed(world);
    const hold = world.define("a");
    world.attachContext();
    await world.advance();
    world.border.expectPython();
    hold.release();
    await world.advance();
    const waits = told.map(({ slot }) => slot.wait?.what);
    assert.deepEqual([...new Set(waits)], ["context", "browser", undefined, "macrotask", "python"]);
  });

  test("is told who holds: the page, by its verb and the owner's class, or an app, or a path", async (context) => {
    const world = new World(context);
    const told = observed(world);
    world.define("a", { owner: new Owner(), resourceId: "doc-1" });
    world.promise([{ name: "b" }, { name: "c", match: ["/cart/*"] }]);
    world.border.holds.hold("b", { owner: {} });
    world.border.moved({ pathname: "/cart/1", hash: "" });
    await world.advance();
    const last = (/** @type {string} */ name) =>
      only(told, "slot").findLast(({ slot }) => slot.name === name).slot.holds;
    assert.deepEqual(last("a"), [{ holder: "webtools.define, Owner", resourceId: "doc-1" }]);
    const app = { holder: "app https://shop.example/shop.py" };
    assert.deepEqual(last("b"), [app, { holder: "webtools.hold" }]);
    assert.deepEqual(last("c"), [{ holder: "path /cart/*" }]);
  });

  test("is told of a call with its input, its progress and its answer", async (context) => {
    const { world } = await withTool(context);
    const told = observed(world);
    const call = await world.call("a", { input: { q: 1 } });
    call.context.progress({ message: "half" });
    call.finish("done");
    await world.advance();
    const [start, progress, end] = told.filter(({ what }) => what.startsWith("call"));
    assert.deepEqual([start.tool, start.input], ["a", { q: 1 }]);
    assert.equal(progress.report.message, "half");
    assert.equal(end.answer.content[0].text, "done");
    assert.deepEqual([progress.callId, end.callId], [start.callId, start.callId]);
  });

  test("is told nothing any more when it has gone", async (context) => {
    const { world, hold } = await withTool(context);
    const told = observed(world);
    world.border.observe(undefined);
    hold.release();
    world.border.moved({ pathname: "/", hash: "" });
    assert.equal(told.length, 1);
  });
});

describe("an observer of a page with Python", () => {
  const slot = { name: "a", state: "registered", holds: [{ holder: 1 }, { holder: "app /a.py" }] };

  test("lets Python tell of its slots from the takeover on, and hears who holds in words", (context) => {
    /** @type {boolean[]} */
    const asked = [];
    const observe = (/** @type {boolean} */ isObserved) => void asked.push(isObserved);
    const world = new World(context, { python: { observe } });
    const told = observed(world);
    world.define("a");
    world.attachPython();
    world.border.port.observed(JSON.stringify(slot));
    assert.deepEqual(asked, [true]);
    assert.deepEqual(told.at(-1).slot.holds, [
      { holder: "webtools.define" },
      { holder: "app /a.py" },
    ]);
    world.border.observe(undefined);
    assert.deepEqual(asked, [true, false]);
  });

  test("is told when Python came up, what was loaded, and when it died", (context) => {
    const python = { observe: () => {}, call_named: () => answerText("done") };
    const world = new World(context, { python });
    const told = observed(world);
    world.attachPython();
    world.border.load("/a.py", { source: "" });
    world.border.die("no memory");
    assert.deepEqual(only(told, "page"), [
      { what: "page", name: "python up" },
      { what: "page", name: "app loaded", detail: "/a.py" },
      { what: "page", name: "python died", detail: "no memory" },
    ]);
  });

  test("costs Python nothing where nobody observes", (context) => {
    let asked = 0;
    const world = new World(context, { python: { observe: () => void (asked += 1) } });
    world.attachPython();
    assert.equal(asked, 0);
  });
});

describe("the wish for the inspector", () => {
  /** @returns {any} a border that keeps who observes it */
  const newBorder = () => ({
    /** @type {any[]} */
    observers: [],
    /** @param {unknown} observer */
    observe(observer) {
      this.observers.push(observer);
    },
  });

  test("that a page has not makes nobody observe", () => {
    const border = newBorder();
    new Inspecting(/** @type {any} */ ({}), border).begin(undefined);
    assert.deepEqual(border.observers, []);
  });

  test("is told once in the console where the inspector cannot be loaded, and nobody observes then", async (context) => {
    /** @type {string[]} */
    const said = [];
    context.mock.method(console, "error", (/** @type {string} */ text) => void said.push(text));
    replace(context, "document", undefined); // so it cannot draw
    const border = newBorder();
    const inspecting = new Inspecting(/** @type {any} */ ({}), border);
    inspecting.begin("open");
    inspecting.begin("key");
    assert.equal(typeof border.observers[0], "function");
    await until(() => said.length > 0);
    assert.match(said[0], /^webtools: the inspector cannot be loaded/);
    assert.deepEqual([said.length, border.observers.at(-1)], [1, undefined]);
    assert.equal(border.observers.length, 2);
  });
});
