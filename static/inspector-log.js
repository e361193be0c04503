/** What the inspector keeps: the newest events and calls, and what there is of each tool. */
import { outcomeOf } from "./answers.js";
import { changesOf, phaseOf } from "./inspector-changes.js";
import { describe } from "./wire.js";

/** @typedef {import("./observed.js").Observed} Observed */
/** @typedef {import("./observed.js").Slot} Slot */
/** @typedef {[number, Observed]} Noted when, in milliseconds since the page began to load, and what */

/**
 * One line of the timeline.
 *
 * @typedef {object} Entry
 * @property {number} at milliseconds since the page began to load
 * @property {string} [tool] none: it is the page's
 * @property {import("./inspector-changes.js").ChangeName | import("./observed.js").PageEvent} name
 * @property {import("./inspector-changes.js").Phase} [phase] the tool's, since then
 * @property {string} [detail]
 */

/**
 * @typedef {object} Call
 * @property {string} callId
 * @property {string} tool
 * @property {number} at when it began
 * @property {string} [input] JSON text; none: a tool has called it, with what only Python has
 * @property {{at: number, message: string, done?: number, total?: number}[]} progress the newest reports
 * @property {number} [ms] how long it took; none: it is in flight
 * @property {"done" | "error"} [outcome]
 * @property {string} [code] of an error
 * @property {string} [answer] JSON text
 */

export const MAX_ENTRIES = 1000;
export const MAX_CALLS = 200;
const MAX_REPORTS = 50;

/** Characters of an input or an answer that are kept. */
export const MAX_TEXT = 20_000;

export class Log {
  /** The oldest first. @type {Entry[]} */
  entries = [];
  /** By their ids, the oldest first. @type {Map<string, Call>} */
  calls = new Map();
  /** By their names. @type {Map<string, Slot & {at: number}>} */
  slots = new Map();
  /** What was let go of. */
  dropped = { entries: 0, calls: 0 };
  /** What keeping it has cost, in milliseconds. */
  costMs = 0;
  #onChange;
  #isFirstLook = false;

  /** @param {() => void} [onChange] */
  constructor(onChange = () => {}) {
    this.#onChange = onChange;
  }

  /**
   * Find what there is, as one does who has not looked before.
   *
   * @param {() => void} look notes every slot
   */
  look(look) {
    this.slots.clear();
    this.#isFirstLook = true;
    look();
    this.#isFirstLook = false;
  }

  /** @param {Observed} event @param {number} [at] */
  note(event, at = performance.now()) {
    const began = performance.now();
    if (event.what === "slot") this.#noteSlot(event.slot, at);
    else if (event.what === "page") this.#notePage(event, at);
    else this.#noteCall(event, at);
    this.costMs += performance.now() - began;
    this.#onChange();
  }

  /** @param {Slot} slot @param {number} at */
  #noteSlot(slot, at) {
    const { name } = slot;
    const before = this.slots.get(name);
    const phase = phaseOf(slot);
    if (phase === "gone") this.slots.delete(name);
    else this.slots.set(name, { ...slot, at });
    if (this.#isFirstLook) return this.#add({ at, tool: name, name: "found", phase });
    for (const change of changesOf(before, slot)) this.#add({ at, tool: name, phase, ...change });
  }

  /** @param {Extract<Observed, {what: "page"}>} event @param {number} at */
  #notePage({ name, detail }, at) {
    const last = this.entries.findLast((each) => each.name === name);
    if (name === "moved" && last?.detail === detail) return; // it is told where it is more often
    this.#add({ at, name, ...(detail !== undefined && { detail }) });
  }

  /** @param {Extract<Observed, {callId: string}>} event @param {number} at */
  #noteCall(event, at) {
    const { callId, tool } = event;
    if (event.what === "callstart") {
      const input = event.input === undefined ? {} : { input: text(event.input) };
      this.calls.set(callId, { callId, tool, at, ...input, progress: [] });
      if (this.calls.size > MAX_CALLS) this.#dropCall();
      return;
    }
    const call = this.calls.get(callId);
    if (!call) return;
    if (event.what === "callprogress") {
      const { message, done, total } = event.report;
      const numbers = {
        ...(done !== undefined && { done }),
        ...(total !== undefined && { total }),
      };
      call.progress.push({ at, message, ...numbers });
      if (call.progress.length > MAX_REPORTS) call.progress.shift();
      return;
    }
    const { answer, ms } = event;
    Object.assign(call, { ms, ...outcomeOf(answer), answer: text(answer) });
  }

  /** The oldest that has ended goes first. */
  #dropCall() {
    const ended = [...this.calls.values()].find(({ ms }) => ms !== undefined);
    const { callId } = ended ?? [...this.calls.values()][0];
    this.calls.delete(callId);
    this.dropped.calls += 1;
  }

  /** @param {Entry} entry */
  #add(entry) {
    this.entries.push(entry);
    if (this.entries.length <= MAX_ENTRIES) return;
    this.entries.shift();
    this.dropped.entries += 1;
  }
}

/** @param {unknown} value @returns {string} what is kept of it, as JSON text */
function text(value) {
  const whole = typeof value === "string" ? value : stringified(value);
  if (whole.length <= MAX_TEXT) return whole;
  return `${whole.slice(0, MAX_TEXT)}… (${whole.length} characters in all)`;
}

/** @param {unknown} value */
function stringified(value) {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    return `no JSON: ${describe(error)}`;
  }
}
