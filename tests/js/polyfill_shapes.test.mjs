import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { apply, isPolyfilled, isSupported } from "../../static/polyfill.js";
import { fakeDocument, forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** A context of some shape that has a tool, and the tool as it lists it. @param {any} shape @param {any} execute */
async function listed(shape, execute = (/** @type {object} */ input) => input) {
  const doc = fakeDocument();
  apply(doc, shape);
  const { modelContext } = doc;
  const inputSchema = { type: "object" };
  await modelContext.registerTool({ name: "a", description: "d", inputSchema, execute });
  const [tool] = await modelContext.getTools();
  return { modelContext, tool };
}

describe("the shapes of browsers of old", () => {
  test("a cancelsCalls that is not known is a TypeError, and nothing is installed", () => {
    const doc = fakeDocument();
    const options = /** @type {any} */ ({ cancelsCalls: "always" });
    assert.throws(() => apply(doc, options), /"never" or "onUnregister", not "always"/);
    assert.equal(isSupported(doc), false);
  });

  test("without signalArgument a handler is given its input alone", async () => {
    /** @type {any[]} */
    let seen = [];
    const { modelContext, tool } = await listed(
      { signalArgument: false },
      (/** @type {any[]} */ ...args) => {
        seen = args;
      },
    );
    await modelContext.executeTool(tool, { x: 1 });
    assert.deepEqual(seen, [{ x: 1 }]);
  });

  test("with schemaAsText a schema is listed as text, and such a tool can be executed", async () => {
    const { modelContext, tool } = await listed({ schemaAsText: true });
    assert.equal(tool.inputSchema, '{"type":"object"}');
    assert.equal(await modelContext.executeTool(tool), "{}");
  });

  test("otherwise a schema as text is no listed tool's", async () => {
    const { modelContext, tool } = await listed({});
    await assert.rejects(modelContext.executeTool({ ...tool, inputSchema: "{}" }), TypeError);
  });

  test("with inputAsText a call's input is JSON text, and anything else fails", async () => {
    const { modelContext, tool } = await listed({ inputAsText: true });
    assert.equal(await modelContext.executeTool(tool, '{"x":1}'), '{"x":1}');
    for (const input of [{}, "{", "1"]) {
      await assert.rejects(modelContext.executeTool(tool, input), { name: "UnknownError" });
    }
    await assert.rejects(modelContext.executeTool(tool), TypeError);
  });

  test("an older copy of the polyfill without a protocol is no neighbour", async () => {
    const doc = fakeDocument();
    apply(doc);
    const marker = Symbol.for("webtools.modelContextPolyfill");
    const old = fakeDocument({ modelContext: { [marker]: true } });
    doc.defaultView.length = 1;
    doc.defaultView[0] = old.defaultView;
    assert.deepEqual(await doc.modelContext.getTools(), []);
    assert.equal(isPolyfilled(old), true);
  });
});

describe("another polyfill", () => {
  const theirs = () => new (class ModelContext extends EventTarget {})();

  test("is recognised by its code and left alone, whatever its shape", () => {
    for (const modelContext of [theirs(), {}, new EventTarget(), Object.create(null)]) {
      const doc = fakeDocument({ modelContext });
      apply(doc)();
      assert.equal(doc.modelContext, modelContext);
      assert.equal(isPolyfilled(doc), true);
    }
  });

  test("makes way for force, until the undo", () => {
    const modelContext = theirs();
    const doc = fakeDocument({ modelContext });
    const undo = apply(doc, { force: true });
    assert.notEqual(doc.modelContext, modelContext);
    undo();
    assert.equal(doc.modelContext, modelContext);
  });

  test("that nothing can be put before is a TypeError, and nothing is installed", () => {
    const doc = fakeDocument();
    Object.defineProperty(doc, "modelContext", { value: theirs() });
    assert.throws(() => apply(doc, { force: true }), /fixed/);
    assert.equal("ModelContext" in doc.defaultView, false);
  });
});
