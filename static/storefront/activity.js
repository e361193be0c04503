import { createSubject } from "./subject.js";

/**
 * What an agent does here, as far as webtools tells: Python's status, the tools on offer and the last calls.
 *
 * @typedef {{name: string, state: string, reason?: string, inFlight: number, calls: number}} ToolStatus
 * @typedef {{message: string, done?: number, total?: number, serial: number}} Report the greatest `serial` is the newest
 * @typedef {{callId: string, tool: string, outcome: string, code?: string, ms?: number, report?: Report}} Call `outcome` is
 *   "running" until it ends, and "interrupted" where the page before was left in the middle of it; `report` is the last one
 *   while it runs
 *
 * @typedef {object} ActivitySnapshot
 * @property {"absent" | "loading" | "ready" | "failed"} python
 * @property {string} reason of a failure, else ""
 * @property {readonly ToolStatus[]} tools
 * @property {readonly Call[]} calls newest first
 *
 * @typedef {EventTarget & {status: "loading" | "ready" | "failed", ready: Promise<unknown>, tools: () => ToolStatus[],
 *   interrupted: readonly {callId: string, tool: string}[]}} Webtools
 * @typedef {ReturnType<typeof createActivity>} Activity
 */

export const CALLS_KEPT = 10;

/** @param {unknown} problem @returns {string} */
const reasonOf = (problem) => (problem instanceof Error ? problem.message : String(problem ?? ""));

/** @param {readonly Call[]} calls @param {Call} call @returns {Call[]} newest first */
function withCall(calls, call) {
  const isKnown = calls.some(({ callId }) => callId === call.callId);
  return isKnown
    ? calls.map((old) => (old.callId === call.callId ? call : old))
    : [call, ...calls].slice(0, CALLS_KEPT);
}

/** @param {readonly Call[]} calls @returns {Call | undefined} the one that runs and was the last to tell how far it is */
export function newestReporter(calls) {
  const serial = (/** @type {Call} */ { report }) => report?.serial ?? 0;
  const reporters = calls.filter(({ outcome, report }) => outcome === "running" && report);
  return reporters.sort((one, other) => serial(other) - serial(one))[0];
}

export function createActivity() {
  const { getSnapshot, subscribe, set } = createSubject(
    /** @type {ActivitySnapshot} */ ({ python: "absent", reason: "", tools: [], calls: [] }),
  );
  let reports = 0;

  return {
    getSnapshot,
    subscribe,

    /** @param {Webtools} webtools @returns {() => void} stops listening */
    connect(webtools) {
      const listening = new AbortController();

      /** @param {Partial<ActivitySnapshot>} [changes] */
      function refresh(changes = {}) {
        if (!listening.signal.aborted)
          set({ ...getSnapshot(), python: webtools.status, tools: webtools.tools(), ...changes });
      }

      /** @param {string} type @param {(detail: any) => Partial<ActivitySnapshot>} read */
      function on(type, read) {
        const hear = (/** @type {Event} */ event) =>
          refresh(read(/** @type {CustomEvent} */ (event).detail ?? {}));
        webtools.addEventListener(type, hear, { signal: listening.signal });
      }

      on("toolstate", () => ({}));
      on("status", ({ reason, error }) =>
        reason || error ? { reason: reasonOf(reason ?? error) } : {},
      );
      on("callstart", ({ callId, tool }) => ({
        calls: withCall(getSnapshot().calls, { callId, tool, outcome: "running" }),
      }));
      on("callprogress", ({ callId, tool, message, done, total }) => ({
        calls: withCall(getSnapshot().calls, {
          callId,
          tool,
          outcome: "running",
          report: { message, done, total, serial: ++reports },
        }),
      }));
      on("callend", ({ callId, tool, outcome, code, ms }) => ({
        calls: withCall(getSnapshot().calls, { callId, tool, outcome, code, ms }),
      }));
      webtools.ready.then(
        () => refresh(),
        (problem) => refresh({ reason: reasonOf(problem) }),
      );
      const interrupted = webtools.interrupted.map(({ callId, tool }) => ({
        callId,
        tool,
        outcome: "interrupted",
      }));
      refresh({ calls: [...getSnapshot().calls, ...interrupted.reverse()].slice(0, CALLS_KEPT) });
      return () => listening.abort();
    },
  };
}
