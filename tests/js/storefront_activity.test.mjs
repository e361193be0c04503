import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CALLS_KEPT, createActivity, newestReporter } from "../../static/storefront/activity.js";

/** @typedef {import("../../static/storefront/activity.js").Webtools} Webtools */

describe("activity", () => {
  /** Node 20 has no Promise.withResolvers. */
  function deferred() {
    /** @type {(value?: unknown) => void} */
    let resolve = () => {};
    /** @type {(reason: Error) => void} */
    let reject = () => {};
    const promise = new Promise((...handles) => {
      [resolve, reject] = handles;
    });
    return { promise, resolve, reject };
  }

  /** webtools, as far as the panel knows it. */
  function fakeWebtools() {
    const ready = deferred();
    const webtools = Object.assign(new EventTarget(), {
      status: /** @type {Webtools["status"]} */ ("loading"),
      ready: ready.promise,
      interrupted: /** @type {Webtools["interrupted"]} */ ([]),
      offered: /** @type {ReturnType<Webtools["tools"]>} */ ([]),
      tools() {
        return this.offered;
      },
    });
    /** @param {string} type @param {object} detail */
    const tell = (type, detail) =>
      webtools.dispatchEvent(Object.assign(new Event(type), { detail }));
    return { webtools, tell, ...ready };
  }

  test("says that there is no Python until webtools is there", () => {
    const activity = createActivity();
    assert.equal(activity.getSnapshot().python, "absent");
    activity.connect(fakeWebtools().webtools);
    assert.equal(activity.getSnapshot().python, "loading");
  });

  test("follows the status, with the reason of a failure", async () => {
    const activity = createActivity();
    const { webtools, tell, reject } = fakeWebtools();
    activity.connect(webtools);
    webtools.status = "failed";
    tell("status", {});
    assert.equal(activity.getSnapshot().python, "failed");
    reject(new Error("The app has a syntax error in line 3."));
    await webtools.ready.catch(() => {});
    await Promise.resolve();
    assert.equal(activity.getSnapshot().reason, "The app has a syntax error in line 3.");
  });

  test("shows the tools anew with every event", () => {
    const activity = createActivity();
    const { webtools, tell } = fakeWebtools();
    activity.connect(webtools);
    webtools.offered = [{ name: "search", state: "registered", inFlight: 0, calls: 0 }];
    tell("toolstate", { tool: "search" });
    assert.deepEqual(activity.getSnapshot().tools, webtools.offered);
  });

  test("shows what the page before was left in the middle of, newest first, until newer calls come", () => {
    const activity = createActivity();
    const { webtools, tell } = fakeWebtools();
    webtools.interrupted = ["c1", "c2"].map((callId) => ({ callId, tool: "pay", startedAt: 1 }));
    activity.connect(webtools);
    const shown = () => activity.getSnapshot().calls;
    assert.deepEqual(shown(), [
      { callId: "c2", tool: "pay", outcome: "interrupted" },
      { callId: "c1", tool: "pay", outcome: "interrupted" },
    ]);
    for (let i = 0; i < CALLS_KEPT; i++) tell("callstart", { callId: `n${i}`, tool: "search" });
    assert.ok(shown().every(({ tool }) => tool === "search"));
  });

  test("keeps the last calls, newest first, each with its end", () => {
    const activity = createActivity();
    const { webtools, tell } = fakeWebtools();
    activity.connect(webtools);
    for (let i = 0; i <= CALLS_KEPT; i++) tell("callstart", { callId: `c${i}`, tool: "search" });
    tell("callend", { callId: "c9", tool: "search", outcome: "error", code: "INVALID", ms: 12 });
    const { calls } = activity.getSnapshot();
    assert.equal(calls.length, CALLS_KEPT);
    assert.deepEqual(calls[0], { callId: "c10", tool: "search", outcome: "running" });
    assert.deepEqual(calls[1], {
      callId: "c9",
      tool: "search",
      outcome: "error",
      code: "INVALID",
      ms: 12,
    });
  });

  test("shows the newest report of the calls that run, and of none that has ended", () => {
    const activity = createActivity();
    const { webtools, tell } = fakeWebtools();
    activity.connect(webtools);
    const line = () => newestReporter(activity.getSnapshot().calls)?.report?.message;
    for (const callId of ["c1", "c2"]) tell("callstart", { callId, tool: "place_order" });
    assert.equal(line(), undefined);
    tell("callprogress", { callId: "c2", tool: "place_order", message: "Booking the boat" });
    tell("callprogress", { callId: "c1", tool: "place_order", message: "Half", done: 1, total: 2 });
    assert.equal(line(), "Half");
    const { report } = activity.getSnapshot().calls[1];
    assert.deepEqual(report, { message: "Half", done: 1, total: 2, serial: 2 });
    tell("callend", { callId: "c1", tool: "place_order", outcome: "done", ms: 9 });
    assert.equal(line(), "Booking the boat");
    assert.equal("report" in activity.getSnapshot().calls[1], false);
    tell("callend", { callId: "c2", tool: "place_order", outcome: "done", ms: 9 });
    assert.equal(line(), undefined);
  });

  test("hears nothing after it is disconnected", async () => {
    const activity = createActivity();
    const { webtools, tell, resolve } = fakeWebtools();
    activity.connect(webtools)();
    const before = activity.getSnapshot();
    tell("callstart", { callId: "c", tool: "search" });
    resolve();
    await webtools.ready;
    assert.equal(activity.getSnapshot(), before);
  });
});
