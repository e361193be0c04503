/** The log's events as rows to draw: for each tool its phases, its calls, and what happened when. */

/** @typedef {import("./inspector-log.js").Entry} Entry */
/** @typedef {import("./inspector-log.js").Call} Call */
/** @typedef {import("./inspector-changes.js").Phase} Phase */

/**
 * One tool's; from and to are parts of the shown time, 0 to 1.
 *
 * @typedef {object} Row
 * @property {string} tool
 * @property {{from: number, to: number, phase: Phase}[]} phases
 * @property {{from: number, to: number, outcome: Call["outcome"] | "open"}[]} calls
 * @property {{at: number, name: Entry["name"]}[]} marks
 */

/**
 * @param {Entry[]} entries the oldest first
 * @param {Iterable<Call>} calls
 * @param {{from: number, to: number}} shown in milliseconds
 * @returns {Row[]} in the order of the tools' first events; none of a tool that was not there in that time
 */
export function timelineRows(entries, calls, { from, to }) {
  const length = Math.max(1, to - from);
  const part = (/** @type {number} */ at) => Math.min(1, Math.max(0, (at - from) / length));
  const isShown = (/** @type {{from: number, to: number}} */ span) => span.to > 0 && span.from < 1;
  const byTool = grouped(entries.filter(hasTool));
  const callsByTool = grouped(calls);
  /** @type {Row[]} */
  const rows = [];
  for (const [tool, own] of byTool) {
    const phases = phasesOf(own, to)
      .map((each) => ({ ...each, from: part(each.from), to: part(each.to) }))
      .filter((each) => isShown(each) && each.to > each.from);
    const spans = (callsByTool.get(tool) ?? [])
      .map(({ at, ms, outcome }) => ({
        from: part(at),
        to: part(ms === undefined ? to : at + ms),
        outcome: outcome ?? /** @type {const} */ ("open"),
        isPast: ms !== undefined && at + ms < from,
      }))
      .filter(({ isPast, ...span }) => !isPast && span.from < 1)
      .map(({ isPast, ...span }) => span);
    const marks = own
      .filter(({ at }) => at >= from && at <= to)
      .map(({ at, name }) => ({ at: part(at), name }));
    if (phases.length + spans.length + marks.length > 0) {
      rows.push({ tool, phases, calls: spans, marks });
    }
  }
  return rows;
}

/**
 * @template {{tool: string}} T
 * @param {Iterable<T>} items
 * @returns {Map<string, T[]>} by their tools
 */
function grouped(items) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(item.tool);
    if (group) group.push(item);
    else groups.set(item.tool, [item]);
  }
  return groups;
}

/** @typedef {Entry & {tool: string, phase: Phase}} ToolEntry */

/** @type {(entry: Entry) => entry is ToolEntry} */
function hasTool({ tool }) {
  return tool !== undefined;
}

/**
 * @param {ToolEntry[]} entries one tool's
 * @param {number} now
 * @returns {{from: number, to: number, phase: Phase}[]} in milliseconds
 */
function phasesOf(entries, now) {
  /** @type {{from: number, to: number, phase: Phase}[]} */
  const phases = [];
  for (const { at, phase } of entries) {
    const last = phases.at(-1);
    if (last?.phase === phase) continue;
    if (last) last.to = at;
    phases.push({ from: at, to: now, phase });
  }
  return phases.filter(({ phase }) => phase !== "gone");
}
