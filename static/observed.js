/** What an observer of the page's tools is told; nothing of it is made while nobody observes. */

/**
 * What there is of one tool's name. Python's (`webtools/browser/observing.py`) has the same form.
 *
 * @typedef {object} Slot
 * @property {string} name
 * @property {import("./statuses.js").HoldStatus} state
 * @property {string} [reason] why it failed, in the browser's words
 * @property {number} inFlight
 * @property {number} calls
 * @property {number} generation
 * @property {number} registration the attempt that the browser has; 0: none
 * @property {string | null} definition its canonical text: what the browser has, or is to get
 * @property {HolderOfTool[]} holds the newest last
 * @property {Wait} [wait] what the desired waits for
 */

/**
 * @typedef {object} HolderOfTool
 * @property {string | number} holder in words; a number is the page's own wish
 * @property {string} [resourceId]
 */

/**
 * @typedef {object} Wait
 * @property {"context" | "ownership" | "browser" | "macrotask" | "calls" | "grace" | "route" | "python"} what
 * @property {number} [ms] how long at most, of the grace and of a change of route
 */

/**
 * One thing that has happened.
 *
 * @typedef {{what: "slot", slot: Slot}
 *   | {what: "callstart", tool: string, callId: string, input?: unknown}
 *   | {what: "callprogress", tool: string, callId: string, report: import("./progress.js").Report}
 *   | {what: "callend", tool: string, callId: string, answer: import("./answers.js").Answer, ms: number}
 *   | {what: "page", name: PageEvent, detail?: string}} Observed
 */

/** @typedef {"python up" | "python died" | "app loaded" | "moved" | "left" | "restored" | "status"} PageEvent */

/** @typedef {(event: Observed) => void} Observer must not throw */

/**
 * Have an observer told of what a border's owner is told, where there is one.
 *
 * @param {import("./border.js").Listeners} listeners
 * @param {() => Observer | undefined} observer
 * @returns {import("./border.js").Listeners}
 */
export function observing(listeners, observer) {
  return {
    ...listeners,
    onCallStart: (tool, callId, input) => {
      listeners.onCallStart(tool, callId);
      observer()?.({ what: "callstart", tool, callId, input });
    },
    onCallProgress: (tool, callId, report) => {
      listeners.onCallProgress(tool, callId, report);
      observer()?.({ what: "callprogress", tool, callId, report });
    },
    onCallEnd: (tool, callId, answer, ms) => {
      listeners.onCallEnd(tool, callId, answer, ms);
      observer()?.({ what: "callend", tool, callId, answer, ms });
    },
  };
}

/**
 * What there is of a tool while Python is not up.
 *
 * @param {import("./early-slot.js").EarlySlot} slot
 * @param {{isAlone: boolean, due: number}} early whether the page does without Python, and when the slot's grace is over
 * @returns {Slot}
 */
export function slotOf(slot, early) {
  const { name, state, reason, inFlight, calls, generation, registration, current } = slot;
  const wait = waitOf(slot, early);
  return {
    ...{ name, state, ...(reason !== undefined && { reason }), inFlight, calls, generation },
    registration: registration?.number ?? 0,
    definition: registration?.text ?? current?.text ?? null,
    holds: [...slot.holds.values()].map(holderOf),
    ...(wait && { wait }),
  };
}

/** @param {import("./early-slot.js").Wish} wish @returns {HolderOfTool} in Python's words */
function holderOf({ number, promised, resourceId }) {
  const bound = resourceId !== undefined && { resourceId };
  if (number > 0 || !promised) return { holder: number, ...bound };
  const { app, match } = promised;
  return { holder: match.length > 0 ? `path ${match.join(" ")}` : `app ${app}`, ...bound };
}

/**
 * @param {import("./early-slot.js").EarlySlot} slot
 * @param {{isAlone: boolean, due: number}} early
 * @returns {Wait | undefined}
 */
function waitOf(slot, { isAlone, due }) {
  if (slot.state === "waiting") return { what: "context" };
  if (slot.state === "registering") return { what: "browser" };
  if (slot.state !== "leaving") return undefined;
  if (!slot.isLeaving) return { what: "macrotask" };
  if (slot.inFlight > 0) return { what: "calls" };
  if (!isAlone) return { what: "python" };
  const now = performance.now();
  return { what: slot.keptUntil > now ? "route" : "grace", ms: Math.max(0, due - now) };
}
