import { newestReporter } from "../activity.js";
import { formatDuration, plural } from "../format.js";
import { createElement as h, Fragment, useId, useState } from "../vendor/react.js";
import { Icon } from "./art.js";
import { Chat } from "./chat.js";
import { useActivity } from "./hooks.js";
import { Bar } from "./parts.js";
import { Watches } from "./watches.js";

/**
 * @typedef {import("../activity.js").ActivitySnapshot} ActivitySnapshot
 * @typedef {import("../activity.js").Call} Call
 * @typedef {import("../activity.js").ToolStatus} ToolStatus
 */

/** @param {ActivitySnapshot} activity @returns {string} */
function pythonSentence({ python, reason }) {
  if (python === "ready") return "Python is ready.";
  if (python === "loading") return "Python is loading…";
  if (python === "failed") return `Python failed${reason ? `: ${reason}` : "."}`;
  return "No Python on this page; the shop works without it.";
}

/** @param {ActivitySnapshot} activity @returns {string} what the closed panel says */
function headline({ python, tools, calls }) {
  const running = calls.filter(({ outcome }) => outcome === "running");
  if (running.length > 0)
    return running.length === 1 ? running[0].tool : plural(running.length, "call");
  if (python === "ready")
    return `chat · ${plural(tools.filter(({ state }) => state === "registered").length, "tool")}`;
  return python === "absent" ? "off" : python;
}

/** @param {{tool: ToolStatus}} props */
function ToolItem({ tool: { name, state, reason, inFlight, calls } }) {
  const counts = [calls > 0 && plural(calls, "call"), inFlight > 0 && `${inFlight} in flight`]
    .filter(Boolean)
    .join(", ");
  return h(
    "li",
    null,
    h("code", null, name),
    h("span", { className: "muted" }, [state, reason, counts].filter(Boolean).join(" · ")),
  );
}

/** @param {{call: Call}} props */
function CallItem({ call: { tool, outcome, code, ms, report } }) {
  return h(
    "li",
    { "data-outcome": outcome },
    h("code", null, tool),
    h(
      "span",
      { className: "call-result" },
      report?.message ?? code ?? outcome,
      ms === undefined ? "" : ` · ${formatDuration(ms)}`,
    ),
    report && h(Bar, { report }),
  );
}

/** What every agent does here, the page's own among them. @param {{activity: ActivitySnapshot}} props */
function Details({ activity }) {
  const { tools, calls } = activity;
  return h(
    "div",
    { className: "agent-details", tabIndex: 0, role: "group", "aria-label": "Details" },
    h("p", { "data-python": activity.python }, pythonSentence(activity)),
    h("h3", null, "Last calls"),
    calls.length === 0
      ? h("p", { className: "muted" }, "No agent has called yet.")
      : h(
          "ul",
          null,
          calls.map((call) => h(CallItem, { key: call.callId, call })),
        ),
    h("h3", null, "Tools on offer"),
    tools.length === 0
      ? h("p", { className: "muted" }, "None yet.")
      : h(
          "ul",
          null,
          tools.map((tool) => h(ToolItem, { key: tool.name, tool })),
        ),
  );
}

/** @type {{[view: string]: string}} */
const VIEWS = { chat: "Chat", activity: "Activity" };

/** @param {{view: string, onView: (view: string) => void, id: string}} props */
function Tabs({ view, onView, id }) {
  /** There are two, so either arrow goes to the other. @param {import("react").KeyboardEvent<HTMLElement>} event */
  function move(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const other = view === "chat" ? "activity" : "chat";
    onView(other);
    document.getElementById(`${id}${other}`)?.focus();
  }

  return h(
    "div",
    { className: "agent-tabs", role: "tablist", "aria-label": "Views", onKeyDown: move },
    Object.entries(VIEWS).map(([name, label]) =>
      h(
        "button",
        {
          key: name,
          id: `${id}${name}`,
          type: "button",
          role: "tab",
          "aria-selected": view === name,
          "aria-controls": view === name ? `${id}view` : undefined,
          tabIndex: view === name ? 0 : -1,
          onClick: () => onView(name),
        },
        label,
      ),
    ),
  );
}

/** A chat with the page's own agent, and what any agent does on this page, for the person in front of it. */
export function AgentPanel() {
  const activity = useActivity();
  const [isOpen, setOpen] = useState(false);
  const [view, setView] = useState("chat");
  const [draft, setDraft] = useState("");
  const titleId = useId();
  const id = useId();
  const disclosure = { "aria-expanded": isOpen, "aria-controls": isOpen ? `${id}view` : undefined };
  const { report } = newestReporter(activity.calls) ?? {};
  const isBusy = activity.calls.some(({ outcome }) => outcome === "running");
  return h(
    "aside",
    {
      className: "agent",
      "aria-labelledby": titleId,
      "data-busy": isBusy,
      "data-python": activity.python,
    },
    h(
      "h2",
      { className: "agent-title" },
      h(
        "button",
        {
          type: "button",
          className: "agent-toggle",
          ...disclosure,
          onClick: () => setOpen(!isOpen),
        },
        h("span", { className: "agent-dot", "aria-hidden": true }),
        h("span", { id: titleId }, "Agent at work"),
        h("span", { className: "agent-headline" }, headline(activity)),
        h(Icon, { name: "chevron" }),
      ),
    ),
    report &&
      !isOpen &&
      h("div", { className: "agent-line" }, h("p", null, report.message), h(Bar, { report })),
    h(Watches),
    isOpen &&
      h(
        Fragment,
        null,
        h(Tabs, { view, onView: setView, id }),
        h(
          "div",
          {
            id: `${id}view`,
            className: "agent-view",
            role: "tabpanel",
            "aria-labelledby": `${id}${view}`,
          },
          view === "chat" ? h(Chat, { draft, onDraft: setDraft }) : h(Details, { activity }),
        ),
      ),
  );
}
