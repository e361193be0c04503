import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { cancelled, failure, hostFailed, invalidInput } from "../../static/answers.js";
import { verdict } from "./fakes.mjs";

describe("an answer that JavaScript gives", () => {
  test("has the shape that Python's errors have", () => {
    assert.deepEqual(failure("TOOL_TIMEOUT", "too late", "none"), {
      content: [{ type: "text", text: "too late" }],
      structuredContent: {
        error: { code: "TOOL_TIMEOUT", message: "too late", retryable: false, effect: "none" },
      },
      isError: true,
    });
  });

  test("says whether to try again, and what it did, as the table of codes does", () => {
    assert.deepEqual(verdict(invalidInput("no")), ["INVALID_TOOL_ARGS", "none", true]);
    assert.deepEqual(verdict(cancelled("none")), ["CANCELLED", "none", false]);
    assert.deepEqual(verdict(hostFailed("no", "unknown")), ["HOST_FAILED", "unknown", false]);
  });

  test("names the reason why the page's tools do not work", () => {
    assert.match(
      hostFailed("the network is gone.", "none").content[0].text,
      /the network is gone\.$/,
    );
  });
});
