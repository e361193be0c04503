import { parsed, titleOf } from "../chat-words.js";
import { formatDuration } from "../format.js";
import { readableArguments } from "../question-desk.js";
import { createElement as h, memo } from "../vendor/react.js";
import { Bar, Hidden } from "./parts.js";

/** @typedef {import("../chat.js").Entry} Entry */
/** @typedef {import("../chat.js").Card} Card */

/** @param {{given: unknown}} props as text, whatever they hold */
export function Arguments({ given }) {
  const pairs = readableArguments(given);
  if (pairs.length === 0) return h("p", { className: "muted" }, "Without arguments");
  return h(
    "dl",
    { className: "chat-arguments" },
    pairs.map(([name, value]) =>
      h("div", { key: name }, h("dt", null, name), h("dd", { dir: "auto" }, value)),
    ),
  );
}

const STATES = { running: "runs", done: "done", failed: "failed", stopped: "stopped" };

/** @param {{card: Card, isAsking: boolean}} props */
function CallCard({ card, isAsking }) {
  const { tool, outcome, report, summary, answer, ms } = card;
  const state = isAsking ? "waits for your answer" : STATES[outcome];
  return h(
    "div",
    { className: "chat-call", "data-outcome": outcome },
    h(
      "details",
      null,
      h(
        "summary",
        null,
        h("span", { className: "chat-call-title" }, titleOf(tool)),
        h(
          "span",
          { className: "call-result" },
          state,
          ms === undefined ? "" : ` · ${formatDuration(ms)}`,
        ),
        summary && h("span", { className: "chat-call-summary", dir: "auto" }, summary),
      ),
      h("p", { className: "muted" }, h("code", null, tool)),
      h(Arguments, { given: parsed(card.input) }),
      answer !== undefined &&
        h("pre", { tabIndex: 0, role: "group", "aria-label": "Answer", dir: "auto" }, answer),
    ),
    report && h("p", { className: "chat-call-report", dir: "auto" }, report.message),
    report && h(Bar, { report }),
  );
}

/** One thing that was said or done. Text stays text: what looks like a card is one. */
export const ChatEntry = memo(
  /** @param {{entry: Entry, isAsking: boolean}} props */
  function ChatEntry({ entry, isAsking }) {
    if (entry.kind === "call") return h(CallCard, { card: entry, isAsking });
    if (entry.kind === "note" || entry.kind === "problem")
      return h("p", { className: "chat-note", "data-kind": entry.kind, dir: "auto" }, entry.text);
    const isAgent = entry.kind === "agent";
    return h(
      "div",
      {
        className: "chat-text",
        "data-by": entry.kind,
        "aria-busy": isAgent && entry.state === "coming",
      },
      h(Hidden, null, isAgent ? "Assistant: " : "You: "),
      h("p", { dir: "auto" }, entry.text),
      isAgent && entry.state === "cut" && h("p", { className: "chat-cut" }, "Stopped here"),
    );
  },
);
