import assert from "node:assert/strict";
import { test } from "node:test";

import { macrotask } from "../../static/macrotask.js";
import { forbidWarnings, until } from "./fakes.mjs";

forbidWarnings();

test("a macrotask runs once, after what is synchronous and after promises, and leaves no port open", async () => {
  const ports = () => process.getActiveResourcesInfo().filter((each) => each === "MessagePort");
  /** @type {string[]} */
  const order = [];
  macrotask(() => order.push("first"));
  macrotask(() => order.push("second"));
  queueMicrotask(() => queueMicrotask(() => order.push("promise")));
  order.push("sync");
  assert.equal(ports().length > 0, true);
  await until(() => order.length === 4);
  assert.deepEqual(order, ["sync", "promise", "first", "second"]);
  await until(() => ports().length === 0);
});
