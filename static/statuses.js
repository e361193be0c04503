/** @typedef {import("./host.js").ToolState["state"] | "unknown"} HoldStatus */

/** What a hold of several tools has as its status: the first of these that any of them has. @type {HoldStatus[]} */
const ORDER = ["failed", "waiting", "unknown", "registering", "leaving", "registered"];

/** @param {HoldStatus[]} statuses of the tools of a set @returns {HoldStatus} the set's */
export function leastOf(statuses) {
  return ORDER.find((status) => statuses.includes(status)) ?? "unknown";
}
