import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { changesOf, phaseOf, waitText } from "../../static/inspector-changes.js";
import { forbidWarnings } from "./fakes.mjs";
import { World } from "./world.mjs";

forbidWarnings();

/** @param {any} [members] @returns {any} what there is of a tool that is registered */
const slot = (members) => ({
  ...{ name: "a", state: "registered", inFlight: 0, calls: 0, generation: 0, registration: 1 },
  ...{ definition: "{}", holds: [{ holder: "app /shop.py" }], ...members },
});

/** @param {any} before @param {any} after @returns {string[]} the changes in one line each */
const told = (before, after) =>
  changesOf(before, after).map(({ name, detail }) => (detail ? `${name}: ${detail}` : name));

describe("changesOf", () => {
  test("tells of a tool that is new who holds it, and what was asked of the browser", () => {
    const asked = slot({ state: "registering", wait: { what: "browser" } });
    assert.deepEqual(told(undefined, asked), ["hold: app /shop.py", "register"]);
  });

  test("tells nothing where nothing has changed, and no numbers of calls", () => {
    assert.deepEqual(told(slot(), slot({ inFlight: 1, calls: 9 })), []);
  });

  test("tells one hold more of the same holder, and one less", () => {
    const twice = slot({ holds: [{ holder: "app /shop.py" }, { holder: "app /shop.py" }] });
    assert.deepEqual(told(slot(), twice), ["hold: app /shop.py"]);
    assert.deepEqual(told(twice, slot()), ["release: app /shop.py"]);
  });

  test("tells holds for another resource apart", () => {
    const [one, other] = ["doc-1", "doc-2"].map((resourceId) =>
      slot({ holds: [{ holder: "webtools.hold", resourceId }] }),
    );
    const changes = ["hold: webtools.hold for doc-2", "release: webtools.hold for doc-1"];
    assert.deepEqual(told(one, other), changes);
  });

  test("tells an unregistering from a loss and from a refusal", () => {
    const gone = { registration: 0, state: "waiting" };
    assert.deepEqual(told(slot({ state: "leaving" }), slot(gone)), ["unregister"]);
    assert.deepEqual(told(slot(), slot(gone)), ["lost"]);
    const refused = { registration: 0, state: "failed", reason: "taken" };
    assert.deepEqual(told(slot({ state: "registering" }), slot(refused)), ["failed: taken"]);
  });

  test("tells in their order how another definition replaces the one before", () => {
    const before = slot({ state: "leaving", wait: { what: "grace", ms: 1 } });
    const after = slot({ state: "registering", registration: 2, definition: '{"name":"a"}' });
    assert.deepEqual(told(before, after), ["unregister", "definition", "register"]);
  });

  test("tells that a tool stays which was to leave", () => {
    assert.deepEqual(told(slot({ state: "leaving" }), slot()), ["stay"]);
  });

  test("tells the generation when it has grown", () => {
    assert.deepEqual(told(slot(), slot({ generation: 3 })), ["generation: 3"]);
  });
});

test("a tool's life is told from its definition until it is gone, before Python is up", async (context) => {
  const world = new World(context);
  /** @type {any} */
  let before;
  /** @type {string[]} */
  const seen = [];
  world.border.observe((event) => {
    if (event.what !== "slot") return;
    seen.push(...told(before, event.slot));
    before = event.slot;
  });
  const hold = world.define("a", { resourceId: "doc-1" });
  await world.advance();
  const call = await world.call("a");
  hold.release();
  await world.advance();
  call.finish("done");
  await world.advance(1000);
  assert.deepEqual(seen, [
    "hold: webtools.define for doc-1",
    "register",
    "registered",
    "release: webtools.define for doc-1",
    "leave",
    "generation: 1",
    "drain: calls in flight: 1",
    "grace: 500 ms at most",
    "unregister",
  ]);
});

describe("phaseOf", () => {
  const wait = (/** @type {any} */ what) => phaseOf(slot({ state: "leaving", wait: { what } }));

  test("tells the drain of a tool that is leaving from its grace", () => {
    assert.deepEqual(["macrotask", "calls", "python", "grace", "route"].map(wait), [
      ...["draining", "draining", "draining", "grace", "grace"],
    ]);
  });

  test("is gone where nobody holds a tool any more, and else the tool's state", () => {
    assert.equal(phaseOf(slot({ state: "unknown" })), "gone");
    assert.equal(phaseOf(slot({ state: "failed" })), "failed");
  });
});

describe("waitText", () => {
  test("says what is waited for, and how long at most", () => {
    assert.equal(waitText(undefined), "");
    assert.equal(waitText({ what: "context" }), "for a model context");
    assert.equal(waitText({ what: "grace", ms: 312.4 }), "for the grace to end, 312 ms at most");
  });
});
