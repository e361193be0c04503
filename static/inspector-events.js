/** The timeline: for each tool a row of its phases and calls, and below what has happened, the newest first. */
import { element } from "./markup.js";
import { time } from "./inspector-calls.js";
import { Rows, shorter, write } from "./inspector-rows.js";
import { timelineRows } from "./inspector-timeline.js";

/** @typedef {import("./inspector-log.js").Entry} Entry */
/** @typedef {import("./inspector-timeline.js").Row} Row */
/** @typedef {import("./inspector-panel.js").Source} Source */
/** @typedef {import("./inspector-panel.js").View} View */

/** How many events are listed; the export has them all. */
const MAX_LISTED = 200;

/** What names say that is not plain. @type {Partial<Record<Entry["name"], string>>} */
const WORDS = {
  definition: "definition changed",
  generation: "generation",
  lost: "taken away",
  leave: "is to leave",
  drain: "drain begins",
  grace: "grace begins",
  route: "kept by a change of route",
  stay: "stays after all",
  wait: "waits",
};

const PHASES = ["waiting", "registering", "registered", "draining", "grace", "failed"];

/** What time is shown, in milliseconds until now. */
const SPANS = /** @type {Record<string, number>} */ ({
  "10 s": 10_000,
  "1 min": 60_000,
  "10 min": 600_000,
  All: Infinity,
});

/** @implements {View} */
export class EventsView {
  name = "Timeline";
  #log;
  #span = /** @type {HTMLSelectElement} */ (
    element(
      "select",
      { id: "span" },
      Object.keys(SPANS).map((name) => element("option", {}, name)),
    )
  );
  #chart = element("ul", { class: "chart" });
  #body = element("tbody");
  #note = element("p", { class: "empty" });
  /** @type {Rows<string, Row>} */
  #tracks = new Rows(this.#chart, () => new Track());
  /** @type {Rows<Entry, Entry>} */
  #lines = new Rows(this.#body, line);
  element = element("div", {}, [
    element("div", { class: "legend" }, [
      element("label", { for: "span" }, "Last "),
      this.#span,
      ...[...PHASES, "call"].map((phase) =>
        element("span", {}, [element("i", { class: `key ${phase}` }), phase]),
      ),
    ]),
    this.#chart,
    element("table", {}, [
      element("thead", {}, [
        element(
          "tr",
          {},
          ["Time", "Tool", "Event", "Detail"].map((name) => element("th", { scope: "col" }, name)),
        ),
      ]),
      this.#body,
    ]),
    this.#note,
  ]);

  /** @param {Source} source @param {() => void} refresh */
  constructor({ log }, refresh) {
    this.#log = log;
    this.#span.value = "1 min";
    this.#span.addEventListener("change", refresh);
  }

  /** @param {string} filter */
  update(filter) {
    const { entries, calls, dropped } = this.#log;
    const isFound = (/** @type {{tool?: string}} */ { tool = "" }) =>
      tool.toLowerCase().includes(filter);
    const to = performance.now();
    const span = SPANS[this.#span.value];
    const from = Math.max(to - span, entries[0]?.at ?? 0);
    const rows = timelineRows(entries.filter(isFound), calls.values(), { from, to });
    this.#tracks.show(rows.filter(isFound).map((row) => [row.tool, row]));
    const newest = entries.filter(isFound).slice(-MAX_LISTED).reverse();
    this.#lines.show(newest.map((entry) => [entry, entry]));
    const missing = entries.filter(isFound).length - newest.length;
    const said = missing + dropped.entries > 0 ? `${missing} earlier events are in the export` : "";
    const gone = dropped.entries > 0 ? `; ${dropped.entries} are not kept` : "";
    write(this.#note, said && `${said}${gone}.`);
  }

  isMoving() {
    return true; // time goes on
  }
}

/** @param {Entry} entry */
function line({ at, tool, name, detail = "" }) {
  const row = element("tr", {}, [
    element("td", { class: "when" }, time(at)),
    element("td", {}, [element("bdi", {}, tool ?? "the page")]),
    element("td", {}, WORDS[name] ?? name),
    element("td", {}, [element("bdi", {}, shorter(detail))]),
  ]);
  return { element: row, update: () => {} };
}

/** One tool's row in the chart. */
class Track {
  #name = element("bdi", { class: "name" });
  #track = element("div", { class: "track", role: "img" });
  element = element("li", {}, [this.#name, this.#track]);

  /** @param {Row} row */
  update({ tool, phases, calls, marks }) {
    write(this.#name, tool);
    const last = phases.at(-1)?.phase ?? "gone";
    this.#track.setAttribute(
      "aria-label",
      `${last}; calls: ${calls.length}; events: ${marks.length}`,
    );
    this.#track.replaceChildren(
      ...phases.map(({ from, to, phase }) => bar(`phase ${phase}`, from, to, phase)),
      ...calls.map(({ from, to, outcome }) => bar(`call ${outcome}`, from, to, `call, ${outcome}`)),
      ...marks.map(({ at, name }) => bar("mark", at, at, WORDS[name] ?? name)),
    );
  }
}

/** @param {string} kind @param {number} from @param {number} to parts of the track @param {string} title */
function bar(kind, from, to, title) {
  const made = element("span", { class: kind, title });
  made.style.insetInlineStart = `${from * 100}%`;
  made.style.inlineSize = `${(to - from) * 100}%`;
  return made;
}
