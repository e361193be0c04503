/** What has happened to a tool, told from what there was of it and what there is now. */

/** @typedef {import("./observed.js").Slot} Slot */
/** @typedef {import("./observed.js").Wait} Wait */

/**
 * @typedef {"found" | "hold" | "release" | "definition" | "generation" | "wait" | "register" | "registered" | "failed" | "lost"
 *   | "leave" | "drain" | "grace" | "route" | "stay" | "unregister"} ChangeName
 */

/** @typedef {{name: ChangeName, detail?: string}} Change */

/** What a tool's row shows. @typedef {"waiting" | "registering" | "registered" | "draining" | "grace" | "failed" | "gone"} Phase */

/** What each wait is, as a sentence goes on. @type {Record<Wait["what"], string>} */
const WAITS = {
  context: "for a model context",
  ownership: "for this tab to own it",
  browser: "for the browser's word",
  macrotask: "for the next macrotask",
  calls: "for its calls in flight",
  grace: "for the grace to end",
  route: "for the change of route to end",
  python: "for Python, which lets it go",
};

/** @param {Slot} slot @returns {Phase} */
export function phaseOf({ state, wait }) {
  if (state === "unknown") return "gone";
  if (state !== "leaving") return state;
  return wait?.what === "grace" || wait?.what === "route" ? "grace" : "draining";
}

/** @param {Wait | undefined} wait @returns {string} "" for none */
export function waitText(wait) {
  if (!wait) return "";
  const limit = wait.ms === undefined ? "" : `, ${Math.round(wait.ms)} ms at most`;
  return WAITS[wait.what] + limit;
}

/**
 * @param {Slot | undefined} before undefined: nothing was known of it
 * @param {Slot} after
 * @returns {Change[]} in the order in which they have happened
 */
export function changesOf(before, after) {
  /** @type {Change[]} */
  const holds = [
    ...missing(after, before).map((detail) => change("hold", detail)),
    ...missing(before, after).map((detail) => change("release", detail)),
  ];
  return [
    ...holds,
    ...(before && after.generation !== before.generation
      ? [change("generation", String(after.generation))]
      : []),
    ...registrationChanges(before, after),
  ];
}

/** @param {Slot | undefined} before @param {Slot} after @returns {Change[]} */
function registrationChanges(before, after) {
  const had = before?.registration ?? 0;
  const has = after.registration;
  /** @type {Change[]} */
  const found = [];
  if (had && has !== had) found.push(goneChange(/** @type {Slot} */ (before), after));
  const isOther = before?.definition && after.definition && before.definition !== after.definition;
  if (isOther) found.push(change("definition"));
  if (has && has !== had) found.push(change("register"));
  if (after.state === "registered" && !(before?.state === "registered" && has === had)) {
    const isBack = before?.state === "leaving" && has === had;
    found.push(change(isBack ? "stay" : "registered"));
  }
  if (after.state === "failed" && before?.state !== "failed" && !found.some(isFailure)) {
    found.push(change("failed", after.reason));
  }
  return [...found, ...waitChanges(before, after)];
}

/** How a registration went that is not there any more. @param {Slot} before @param {Slot} after @returns {Change} */
function goneChange(before, after) {
  if (before.state === "leaving") return change("unregister");
  return after.state === "failed" ? change("failed", after.reason) : change("lost");
}

/** @param {Change} made */
function isFailure({ name }) {
  return name === "failed";
}

/** @param {Slot | undefined} before @param {Slot} after @returns {Change[]} */
function waitChanges(before, after) {
  const { wait, inFlight } = after;
  if (!wait || wait.what === before?.wait?.what) return [];
  if (wait.what === "context" || wait.what === "ownership") return [change("wait", waitText(wait))];
  if (wait.what === "macrotask") return [change("leave")];
  if (wait.what === "calls") return [change("drain", `calls in flight: ${inFlight}`)];
  if (wait.what === "python") return [change("wait", waitText(wait))];
  if (wait.what === "browser") return [];
  return [change(wait.what, `${Math.round(wait.ms ?? 0)} ms at most`)];
}

/** Who holds in the one and not in the other, in words. @param {Slot} [one] @param {Slot} [other] @returns {string[]} */
function missing(one, other) {
  const left = (other?.holds ?? []).map(holderText);
  return (one?.holds ?? []).map(holderText).filter((holder) => {
    const index = left.indexOf(holder);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** @param {import("./observed.js").HolderOfTool} hold @returns {string} */
export function holderText({ holder, resourceId }) {
  return resourceId === undefined ? String(holder) : `${holder} for ${resourceId}`;
}

/** @param {ChangeName} name @param {string} [detail] @returns {Change} */
function change(name, detail) {
  return detail === undefined ? { name } : { name, detail };
}
