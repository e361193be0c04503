/** The calls, the newest first: arguments, progress, how long they took, and what came of them. */
import { element, shown } from "./markup.js";
import { Rows, write } from "./inspector-rows.js";

/** @typedef {import("./inspector-log.js").Call} Call */
/** @typedef {import("./inspector-panel.js").Source} Source */
/** @typedef {import("./inspector-panel.js").View} View */

/** @implements {View} */
export class CallsView {
  name = "Calls";
  #log;
  #list = element("ul", { class: "rows" });
  #note = element("p", { class: "empty" });
  /** @type {Rows<string, Call>} */
  #rows = new Rows(this.#list, () => new CallRow());
  element = element("div", {}, [this.#list, this.#note]);

  /** @param {Source} source */
  constructor({ log }) {
    this.#log = log;
  }

  /** @param {string} filter */
  update(filter) {
    const calls = [...this.#log.calls.values()].reverse();
    const found = calls.filter(({ tool }) => tool.toLowerCase().includes(filter));
    this.#rows.show(found.map((call) => [call.callId, call]));
    const { calls: dropped } = this.#log.dropped;
    const none = filter ? "No call of such a tool." : "No call yet.";
    write(this.#note, dropped > 0 ? `${dropped} earlier ones are not kept.` : none);
    this.#note.hidden = found.length > 0 && dropped === 0;
  }

  isMoving() {
    return [...this.#log.calls.values()].some(({ ms }) => ms === undefined);
  }
}

/** @param {number} ms @returns {string} */
export function duration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} at milliseconds since the page began to load @returns {string} the time of day */
export function time(at) {
  const date = new Date(performance.timeOrigin + at);
  const two = /** @type {const} */ ("2-digit");
  const parts = {
    hour: two,
    minute: two,
    second: two,
    fractionalSecondDigits: /** @type {3} */ (3),
  };
  return date.toLocaleTimeString("en-GB", parts);
}

/** One call's row. Its details are made when it is opened first. */
class CallRow {
  #outcome = element("span", { class: "state" });
  #tool = element("bdi", { class: "name" });
  #message = element("span", { class: "waits" });
  #when = element("span", { class: "counts" });
  #details = /** @type {HTMLDetailsElement} */ (element("details"));
  #input = element("pre");
  #reports = element("pre");
  #answer = element("pre");
  #parts = [
    part("Arguments", this.#input),
    part("Progress", this.#reports),
    part("Answer", this.#answer),
  ];
  /** @type {Call | undefined} */
  #call;
  element = element("li", {}, [this.#details]);

  constructor() {
    const parts = [this.#outcome, this.#tool, this.#message, this.#when];
    this.#details.append(element("summary", {}, parts));
    this.#details.addEventListener("toggle", () => this.#fill());
  }

  /** @param {Call} call */
  update(call) {
    this.#call = call;
    const { tool, at, ms, outcome, code, progress } = call;
    const last = progress.at(-1);
    this.#outcome.className = `state ${outcome ?? "open"}`;
    write(this.#outcome, outcome ?? "in flight");
    write(this.#tool, tool);
    write(this.#message, code ?? (ms === undefined && last ? reportText(last) : ""));
    write(this.#when, `${duration(ms ?? performance.now() - at)}, ${time(at)}`);
    this.#fill();
  }

  #fill() {
    if (!this.#call || !this.#details.open) return;
    const { input, progress, answer } = this.#call;
    const [, reports, answered] = this.#parts;
    if (!reports.parentElement) {
      this.#details.append(element("div", { class: "body" }, this.#parts));
    }
    write(
      this.#input,
      input === undefined ? "Not told: another tool has made this call." : pretty(input),
    );
    write(
      this.#reports,
      progress.map((each) => `${time(each.at)}  ${reportText(each)}`).join("\n"),
    );
    write(this.#answer, answer === undefined ? "" : pretty(answer));
    reports.hidden = progress.length === 0;
    answered.hidden = answer === undefined;
  }
}

/** @param {string} label @param {HTMLElement} content */
function part(label, content) {
  return element("div", {}, [element("div", { class: "label" }, label), content]);
}

/** @param {Call["progress"][number]} report */
function reportText({ message, done, total }) {
  return done === undefined || total === undefined ? message : `${message} (${done} of ${total})`;
}

/** @param {string} text JSON, or the part of it that is kept */
function pretty(text) {
  try {
    return shown(JSON.parse(text));
  } catch {
    return shown(text).slice(1, -1).replaceAll('\\"', '"');
  }
}
