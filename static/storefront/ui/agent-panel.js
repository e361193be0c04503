import { newestReporter } from "../activity.js";
import { formatDuration, plural } from "../format.js";
import { createElement as h, useId, useState } from "../vendor/react.js";
import { Icon } from "./art.js";
import { useActivity } from "./hooks.js";
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
    return plural(tools.filter(({ state }) => state === "registered").length, "tool");
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

/** @param {{report: import("../activity.js").Report}} props without numbers it only says that something goes on */
const Bar = ({ report: { message, done, total } }) =>
  h("progress", { className: "call-bar", value: done, max: total, "aria-label": message });

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

/** @param {{activity: ActivitySnapshot, id: string}} props */
function Details({ activity, id }) {
  const { tools, calls } = activity;
  return h(
    "div",
    { id, className: "agent-details", tabIndex: 0, role: "group", "aria-label": "Details" },
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

/** What the agent does on this page, for the person in front of it. */
export function AgentPanel() {
  const activity = useActivity();
  const [isOpen, setOpen] = useState(false);
  const titleId = useId();
  const detailsId = useId();
  const disclosure = { "aria-expanded": isOpen, "aria-controls": isOpen ? detailsId : undefined };
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
    isOpen && h(Details, { activity, id: detailsId }),
  );
}
