/** The tools: their states, who holds them and what they wait for, their definitions, and calls made by hand. */
import { element, shown } from "./markup.js";
import { CallForm } from "./inspector-calling.js";
import { holderText, waitText } from "./inspector-changes.js";
import { Rows, shorter, write } from "./inspector-rows.js";

/** @typedef {import("./inspector-panel.js").Source} Source */
/** @typedef {import("./inspector-panel.js").View} View */

/** @typedef {{description?: string, annotations?: Record<string, unknown>, inputSchema?: unknown}} Definition */

/**
 * @typedef {object} Item
 * @property {string} name
 * @property {import("./statuses.js").HoldStatus} state
 * @property {string} waits in words; "" for nothing
 * @property {string} counts in words
 * @property {[string, string][]} facts
 * @property {Definition | undefined} definition
 */

/** @implements {View} */
export class ToolsView {
  name = "Tools";
  #source;
  #list = element("ul", { class: "rows" });
  #empty = element("p", { class: "empty" }, "No tool is held, and none is registered.");
  /** @type {Rows<string, Item>} */
  #rows;
  element = element("div", {}, [this.#empty, this.#list]);

  /** @param {Source} source @param {() => void} refresh */
  constructor(source, refresh) {
    this.#source = source;
    this.#rows = new Rows(this.#list, () => new ToolRow(source, refresh));
  }

  /** @param {string} filter */
  update(filter) {
    const items = itemsOf(this.#source).filter(({ name }) => name.toLowerCase().includes(filter));
    this.#rows.show(items.map((item) => [item.name, item]));
    this.#empty.hidden = items.length > 0;
    write(
      this.#empty,
      filter ? "No tool has that in its name." : "No tool is held, and none is registered.",
    );
  }

  isMoving() {
    return true; // nothing tells of a hold of an unknown name, and limits run down
  }
}

/** @param {Source} source @returns {Item[]} in the order of `tools()`, and then what only the page wishes for */
function itemsOf({ host, log, wishes }) {
  const known = host.tools().map((tool) => itemOf(tool, log.slots.get(tool.name)));
  const names = new Set(known.map(({ name }) => name));
  /** @type {Map<string, string[]>} */
  const unknown = new Map();
  for (const wish of wishes()) {
    if (names.has(wish.name)) continue;
    unknown.set(wish.name, [...(unknown.get(wish.name) ?? []), holderText(wish)]);
  }
  return [...known, ...[...unknown].map(([name, holders]) => unknownItem(name, holders))];
}

/**
 * @param {import("./host.js").ToolState} tool
 * @param {(import("./observed.js").Slot & {at: number}) | undefined} slot
 * @returns {Item}
 */
function itemOf({ name, state, reason, inFlight, calls }, slot) {
  const holders = (slot?.holds ?? []).map(holderText);
  const wait = slot?.state === state ? waitText(waitNow(slot)) : "";
  /** @type {Definition | undefined} */
  const definition = slot?.definition ? JSON.parse(slot.definition) : undefined;
  const isHeld = holders.length > 0;
  const goes = state !== "leaving" ? "" : isHeld ? "Changes its definition" : "Nobody holds it";
  return {
    name,
    state,
    waits: wait && `waits ${wait}`,
    counts: `${calls} ${calls === 1 ? "call" : "calls"}${inFlight > 0 ? `, ${inFlight} in flight` : ""}`,
    facts: facts([
      ["Described as", definition?.description ?? ""],
      ["Annotations", annotationsText(definition?.annotations)],
      ["Held by", holders.map(shorter).join("\n") || "nobody"],
      ["Leaves", goes],
      ["Failed", reason ?? ""],
      ["Generation", slot ? String(slot.generation) : ""],
      ["Registration", slot?.registration ? `attempt ${slot.registration}` : "none"],
    ]),
    definition,
  };
}

/** @param {Record<string, unknown>} [annotations] @returns {string} those that hold */
function annotationsText(annotations = {}) {
  const names = Object.keys(annotations).filter((name) => annotations[name] === true);
  return names.join(", ");
}

/** @param {string} name @param {string[]} holders @returns {Item} */
function unknownItem(name, holders) {
  const waits = "waits for an app that defines it";
  const heldBy = /** @type {[string, string]} */ (["Held by", holders.join("\n")]);
  return { name, state: "unknown", waits, counts: "", facts: [heldBy], definition: undefined };
}

/** @param {import("./observed.js").Slot & {at: number}} slot @returns {import("./observed.js").Wait | undefined} */
function waitNow({ wait, at }) {
  if (wait?.ms === undefined) return wait;
  return { ...wait, ms: Math.max(0, wait.ms - (performance.now() - at)) };
}

/** @param {[string, string][]} all */
function facts(all) {
  return all.filter(([, text]) => text !== "");
}

/** One tool's row. Its details are made when it is opened first. */
class ToolRow {
  #state = element("span", { class: "state" });
  #name = element("bdi", { class: "name" });
  #waits = element("span", { class: "waits" });
  #counts = element("span", { class: "counts" });
  #details = /** @type {HTMLDetailsElement} */ (element("details"));
  #facts = element("dl");
  #definition = element("pre");
  #more = element("details", { class: "definition" }, [
    element("summary", {}, "Definition"),
    this.#definition,
  ]);
  /** @type {CallForm | undefined} */
  #form;
  #newForm;
  /** @type {Item | undefined} */
  #item;
  element = element("li", {}, [this.#details]);

  /** @param {Source} source @param {() => void} refresh */
  constructor(source, refresh) {
    this.#newForm = () => new CallForm(source, refresh);
    const summary = element("summary", {}, [this.#state, this.#name, this.#waits, this.#counts]);
    this.#details.append(summary);
    this.#details.addEventListener("toggle", () => this.#fill());
  }

  /** @param {Item} item */
  update(item) {
    this.#item = item;
    this.#state.className = `state ${item.state}`;
    write(this.#state, item.state);
    write(this.#name, item.name);
    write(this.#waits, item.waits);
    write(this.#counts, item.counts);
    this.#fill();
  }

  #fill() {
    const item = this.#item;
    if (!item || !this.#details.open) return;
    if (!this.#form) {
      this.#form = this.#newForm();
      const body = element("div", { class: "body" }, [this.#facts, this.#form.element, this.#more]);
      this.#details.append(body);
    }
    const lines = item.facts.flatMap(([term, text]) => [
      element("dt", {}, term),
      element("dd", {}, text),
    ]);
    const now = JSON.stringify(item.facts);
    if (this.#facts.dataset.shown !== now) this.#facts.replaceChildren(...lines);
    this.#facts.dataset.shown = now;
    this.#more.hidden = item.definition === undefined;
    write(this.#definition, shown(item.definition));
    this.#form.update(item.name, item.state !== "unknown", item.definition);
  }
}
