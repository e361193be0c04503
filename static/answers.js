/** Answers that JavaScript gives, in the shape that Python's have (`webtools/tools/answers.py`). */

/**
 * @typedef {object} Answer
 * @property {{type: string, text: string}[]} content
 * @property {Record<string, any>} [structuredContent]
 * @property {boolean} [isError]
 */

/**
 * @param {string} code
 * @param {string} message
 * @param {"none" | "unknown"} effect
 * @param {boolean} [retryable] whether the same tool may succeed when it is called again
 * @returns {Answer}
 */
export function failure(code, message, effect, retryable = false) {
  const error = { code, message, retryable, effect };
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

/** The caller gave up before the call reached Python. */
export function cancelled() {
  return failure("CANCELLED", "The call was cancelled by its caller.", "none");
}
