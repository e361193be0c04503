import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { timelineRows } from "../../static/inspector-timeline.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** @param {number} at @param {any} phase @param {any} [name] @returns {any} */
const entry = (at, phase, name = "register") => ({ at, tool: "a", phase, name });

/** @param {number} at @param {any} [members] @returns {any} */
const call = (at, members) => ({ callId: `${at}`, tool: "a", at, progress: [], ...members });

const SHOWN = { from: 100, to: 200 };

describe("timelineRows", () => {
  test("gives each tool its phases, one after the other, until now", () => {
    const [row] = timelineRows([entry(100, "registering"), entry(150, "registered")], [], SHOWN);
    assert.deepEqual(row.phases, [
      { from: 0, to: 0.5, phase: "registering" },
      { from: 0.5, to: 1, phase: "registered" },
    ]);
  });

  test("draws a phase on that began before the time that is shown", () => {
    const [row] = timelineRows([entry(20, "registered")], [], SHOWN);
    assert.deepEqual(row.phases, [{ from: 0, to: 1, phase: "registered" }]);
    assert.deepEqual(row.marks, []);
  });

  test("joins events that change no phase, and draws nothing of a tool that is gone", () => {
    const entries = [entry(100, "registered"), entry(120, "registered"), entry(150, "gone")];
    const [row] = timelineRows(entries, [], SHOWN);
    assert.deepEqual(row.phases, [{ from: 0, to: 0.5, phase: "registered" }]);
    assert.deepEqual(
      row.marks.map(({ at }) => at),
      [0, 0.2, 0.5],
    );
  });

  test("has no row for a tool that was gone before", () => {
    assert.deepEqual(timelineRows([entry(10, "registered"), entry(50, "gone")], [], SHOWN), []);
  });

  test("draws a call as long as it took, and one in flight until now", () => {
    const calls = [call(110, { ms: 20, outcome: "error" }), call(150)];
    const [row] = timelineRows([entry(100, "registered")], calls, SHOWN);
    assert.deepEqual(row.calls, [
      { from: 0.1, to: 0.3, outcome: "error" },
      { from: 0.5, to: 1, outcome: "open" },
    ]);
  });

  test("leaves out a call that was over before, and cuts one that reaches into the time", () => {
    const calls = [call(10, { ms: 20, outcome: "done" }), call(50, { ms: 60, outcome: "done" })];
    const [row] = timelineRows([entry(0, "registered")], calls, SHOWN);
    assert.deepEqual(row.calls, [{ from: 0, to: 0.1, outcome: "done" }]);
  });

  test("leaves the page's own events out of the tools' rows", () => {
    assert.deepEqual(timelineRows([{ at: 150, name: "moved" }], [], SHOWN), []);
  });
});
