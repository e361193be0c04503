import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { exported } from "../../static/inspector-file.js";
import { Log, MAX_CALLS, MAX_ENTRIES, MAX_TEXT } from "../../static/inspector-log.js";
import { forbidWarnings, replace } from "./fakes.mjs";

forbidWarnings();

/** @param {any} [members] @returns {any} */
const slotEvent = (members) => ({
  what: "slot",
  slot: {
    ...{ name: "a", state: "registered", inFlight: 0, calls: 0, generation: 0, registration: 1 },
    ...{ definition: "{}", holds: [], ...members },
  },
});

/** @param {Log} log @param {string} callId @param {any} [input] @param {number} [at] */
const start = (log, callId, input = {}, at = 0) =>
  log.note({ what: "callstart", tool: "a", callId, input }, at);

/** @param {Log} log @param {string} callId @param {any} [answer] */
const end = (log, callId, answer = { content: [] }) =>
  log.note({ what: "callend", tool: "a", callId, answer, ms: 7 });

/** @param {Log} log @returns {any} the newest call */
const newest = (log) => [...log.calls.values()].at(-1);

describe("the log's events", () => {
  test("have their time, their tool, its phase and what changed", () => {
    const log = new Log();
    log.note(slotEvent({ generation: 0, holds: [{ holder: "x" }] }), 5);
    assert.deepEqual(log.entries[0], {
      ...{ at: 5, tool: "a", phase: "registered", name: "hold", detail: "x" },
    });
  });

  test("are the newest only, and what was let go of is counted", () => {
    const log = new Log();
    for (let generation = 0; generation <= MAX_ENTRIES + 1; generation += 1) {
      log.note(slotEvent({ generation, state: "waiting", registration: 0 }), generation);
    }
    assert.equal(log.entries.length, MAX_ENTRIES);
    assert.equal(log.entries.at(-1)?.at, MAX_ENTRIES + 1);
    assert.equal(log.dropped.entries, 1);
  });

  test("say of a tool that was there at the first look that it was found, and nothing else", () => {
    const log = new Log();
    log.look(() => log.note(slotEvent({ holds: [{ holder: "x" }] }), 1));
    log.note(slotEvent({ holds: [] }), 2);
    assert.deepEqual(
      log.entries.map(({ name }) => name),
      ["found", "release"],
    );
  });

  test("say once that the page is where it was", () => {
    const log = new Log();
    for (const detail of ["/a", "/a", "/b", "/a"])
      log.note({ what: "page", name: "moved", detail });
    assert.deepEqual(
      log.entries.map(({ detail }) => detail),
      ["/a", "/b", "/a"],
    );
  });

  test("leave nothing of a tool that is gone among what there is", () => {
    const log = new Log();
    log.note(slotEvent());
    assert.equal(log.slots.size, 1);
    log.note(slotEvent({ state: "unknown", registration: 0 }));
    assert.equal(log.slots.size, 0);
  });
});

describe("the log's calls", () => {
  test("have arguments, progress, duration, outcome and answer", () => {
    const log = new Log();
    start(log, "1", { q: 1 }, 3);
    const report = { iteration: 0, progress: null, message: "half", done: 1, total: 2 };
    log.note({ what: "callprogress", tool: "a", callId: "1", report }, 4);
    end(log, "1");
    assert.deepEqual(newest(log), {
      ...{ callId: "1", tool: "a", at: 3, input: '{"q":1}', ms: 7, outcome: "done" },
      ...{ progress: [{ at: 4, message: "half", done: 1, total: 2 }], answer: '{"content":[]}' },
    });
  });

  test("have the code of their error", () => {
    const log = new Log();
    start(log, "1");
    end(log, "1", { isError: true, structuredContent: { error: { code: "TOOL_TIMEOUT" } } });
    assert.deepEqual([newest(log).outcome, newest(log).code], ["error", "TOOL_TIMEOUT"]);
  });

  test("keep their arguments as they were when the call began", () => {
    const log = new Log();
    const input = { q: 1 };
    start(log, "1", input);
    input.q = 2;
    assert.equal(newest(log).input, '{"q":1}');
  });

  test("keep arguments that are JSON text already as they are, and of a long one the beginning", () => {
    const log = new Log();
    start(log, "1", '{"q":1}');
    assert.equal(newest(log).input, '{"q":1}');
    start(log, "2", { q: "x".repeat(MAX_TEXT) });
    assert.match(newest(log).input, /… \(20008 characters in all\)$/);
  });

  test("live with arguments that JSON cannot hold", () => {
    const log = new Log();
    start(log, "1", 1n);
    assert.match(newest(log).input, /^no JSON: TypeError/);
  });

  test("are the newest only, but one in flight is kept before those that have ended", () => {
    const log = new Log();
    start(log, "slow");
    for (let count = 0; count < MAX_CALLS; count += 1) {
      start(log, `${count}`);
      end(log, `${count}`);
    }
    assert.equal(log.calls.size, MAX_CALLS);
    assert.ok(log.calls.has("slow"));
    assert.ok(!log.calls.has("0"));
    assert.equal(log.dropped.calls, 1);
  });

  test("are not made of an end whose beginning nobody saw", () => {
    const log = new Log();
    end(log, "1");
    assert.equal(log.calls.size, 0);
  });
});

test("whoever shows the log hears of each event", () => {
  let count = 0;
  const log = new Log(() => (count += 1));
  log.note(slotEvent());
  start(log, "1");
  assert.equal(count, 2);
});

test("the file has the tools with what only an observer knows, and arguments and answers as data", (context) => {
  replace(context, "location", { href: "https://shop.example/" });
  replace(context, "document", {});
  replace(context, "navigator", { userAgent: "a browser" });
  const log = new Log();
  log.note(slotEvent({ holds: [{ holder: "x" }], inFlight: 5 }));
  start(log, "1", { q: 1 });
  end(log, "1");
  const state = /** @type {const} */ ({ name: "a", state: "registered", inFlight: 0, calls: 1 });
  const host = { version: "1.2.3", status: "ready", tools: () => [state] };
  /** @type {any} */
  const file = JSON.parse(JSON.stringify(exported(log, host)));
  assert.deepEqual([file.format, file.webtools, file.status], [1, "1.2.3", "ready"]);
  assert.equal(file.tools[0].inFlight, 0);
  assert.deepEqual(file.tools[0].holds, [{ holder: "x" }]);
  assert.deepEqual([file.calls[0].input, file.calls[0].answer], [{ q: 1 }, { content: [] }]);
  assert.deepEqual(
    file.events.map((/** @type {any} */ { name }) => name),
    log.entries.map(({ name }) => name),
  );
});
