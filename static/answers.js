/** Answers that JavaScript gives, in the shape that Python's have (`webtools/tools/answers.py`). */

/**
 * @typedef {object} Answer
 * @property {{type: string, text: string}[]} content
 * @property {Record<string, any>} [structuredContent]
 * @property {boolean} [isError]
 */

/**
 * What came of a call, as the page is told.
 *
 * @param {Answer} answer
 * @returns {{outcome: "done" | "error", code?: string}}
 */
export function outcomeOf({ isError, structuredContent }) {
  if (!isError) return { outcome: "done" };
  const code = structuredContent?.error?.code;
  return { outcome: "error", ...(code && { code }) };
}

/**
 * @param {string} code
 * @param {string} message
 * @param {"none" | "done" | "unknown"} effect "none" until a handler was entered
 * @param {boolean} [retryable] whether the same tool may succeed when it is called again
 * @param {unknown} [details] JSON data
 * @returns {Answer}
 */
export function failure(code, message, effect, retryable = false, details) {
  const error = { code, message, ...(details !== undefined && { details }), retryable, effect };
  return {
    content: [{ type: "text", text: message }],
    structuredContent: { error },
    isError: true,
  };
}

/** @param {string} reason @param {"none" | "unknown"} effect "unknown" once a handler may have run */
export function hostFailed(reason, effect) {
  return failure("HOST_FAILED", `This page's tools do not work: ${reason}`, effect);
}

/** @param {string} message why the input is no JSON object */
export function invalidInput(message) {
  return failure("INVALID_TOOL_ARGS", message, "none", true);
}

/** @param {"none" | "unknown"} effect "unknown" once a handler was entered */
export function cancelled(effect) {
  return failure("CANCELLED", "The call was cancelled by its caller.", effect);
}

/** The page was left while a handler ran. */
export function left() {
  const said = "The page was left while the tool ran; its effect may still land.";
  return failure("CANCELLED", said, "unknown");
}

/** The page was left before a call came to its tool. @param {string} name the tool's */
export function leftBefore(name) {
  const said = `The page was left before ${name} began; it has done nothing.`;
  return failure("CANCELLED", said, "none");
}

/** @param {string} name of a tool whose last hold was released */
export function stale(name) {
  const said = `${name} belonged to a part of the page that is gone. Read the page's state before going on.`;
  return failure("STALE_TOOL_CALL", said, "none");
}

/** @param {string} name of a tool whose definition is being replaced @param {number} retryAfterMs */
export function changed(name, retryAfterMs) {
  const said = `${name} is being replaced by a tool with another definition. List the tools again, then call it.`;
  return failure("TOOL_CHANGED", said, "none", true, { retry_after_ms: retryAfterMs });
}

/** @param {string} subject what was called @param {string[]} tools the names that there are */
export function notFound(subject, tools) {
  const said = `${subject} does not exist here. The page has: ${tools.join(", ") || "no tools"}.`;
  return failure("TOOL_NOT_FOUND", said, "none", true, { tools });
}
