/** The log as one JSON file. */

/** @typedef {import("./inspector-log.js").Log} Log */

/**
 * @typedef {object} Exported
 * @property {1} format
 * @property {string} webtools the library's version
 * @property {{url: string, userAgent: string, hasModelContext: boolean}} page
 * @property {string} began when the page began to load, ISO 8601; all times are milliseconds since then
 * @property {number} at when this was written
 * @property {string} status of the page's apps
 * @property {object[]} tools what `webtools.tools()` gives, and where it is known what an observer is told
 * @property {import("./inspector-log.js").Entry[]} events the oldest first
 * @property {object[]} calls the oldest first
 * @property {{entries: number, calls: number}} dropped
 * @property {number} costMs what keeping the log has cost
 */

/**
 * @param {Log} log
 * @param {{version: string, status: string, tools: () => import("./host.js").ToolState[]}} host
 * @returns {Exported}
 */
export function exported(log, host) {
  const tools = host.tools().map((tool) => ({ ...log.slots.get(tool.name), ...tool }));
  return {
    format: 1,
    webtools: host.version,
    page: {
      url: location.href,
      userAgent: navigator.userAgent,
      hasModelContext: document.modelContext !== undefined,
    },
    began: new Date(performance.timeOrigin).toISOString(),
    at: performance.now(),
    status: host.status,
    tools,
    events: log.entries,
    calls: [...log.calls.values()].map(({ input, answer, ...call }) => ({
      ...call,
      ...(input !== undefined && { input: read(input) }),
      ...(answer !== undefined && { answer: read(answer) }),
    })),
    dropped: log.dropped,
    costMs: log.costMs,
  };
}

/** @param {string} text @returns {unknown} the data, or the text where it was cut */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
