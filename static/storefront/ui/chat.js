import { titleOf } from "../chat-words.js";
import {
  createElement as h,
  Fragment,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "../vendor/react.js";
import { Icon } from "./art.js";
import { ChatEntry } from "./chat-entries.js";
import { ChatQuestion } from "./chat-question.js";
import { ChatSettings } from "./chat-settings.js";
import { useActivity, useCardQuestion, useChat, useQuestion, useShop } from "./hooks.js";
import { Hidden } from "./parts.js";

/** @typedef {import("../chat.js").ChatSnapshot} ChatSnapshot */

const SUGGESTIONS = [
  "Find a headlamp under €60 and put it in my cart",
  "Compare two backpacks",
  "What is in my cart?",
  "Check out",
];

/** Nearer to the end than this, the log follows what comes. */
const NEAR_PX = 32;

/** @param {{onPick: (text: string) => void}} props */
const Suggestions = ({ onPick }) =>
  h(
    "div",
    { className: "chat-welcome" },
    h("p", null, "What may I do for you in this shop? You see each step, and can stop it."),
    h(
      "ul",
      { className: "chat-suggestions", "aria-label": "Suggestions" },
      SUGGESTIONS.map((text) =>
        h("li", { key: text }, h("button", { type: "button", onClick: () => onPick(text) }, text)),
      ),
    ),
  );

/** What was said, at its end unless the person has scrolled up. */
function Log() {
  const { entries } = useChat().snapshot;
  const question = useQuestion();
  const log = useRef(/** @type {HTMLDivElement | null} */ (null));
  const follows = useRef(true);
  const lastTop = useRef(0);
  const [isBehind, setBehind] = useState(false);
  const asking = question && entries.findLast((entry) => entry.kind === "call");

  function goToEnd() {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }

  function look() {
    const { scrollHeight, scrollTop, clientHeight } = /** @type {HTMLDivElement} */ (log.current);
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    // further from the end without a way up, it has been made smaller, or longer
    if (isNear || scrollTop < lastTop.current) follows.current = isNear;
    if (isNear) setBehind(false);
    lastTop.current = scrollTop;
  }

  useLayoutEffect(() => {
    if (follows.current || entries.at(-1)?.kind === "person") goToEnd();
    else setBehind(true);
  }, [entries]);

  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (log.current);
    const resizes = new ResizeObserver(() => follows.current && goToEnd());
    resizes.observe(element);
    return () => resizes.disconnect();
  }, []);

  return h(
    "div",
    { className: "chat-log-frame" },
    h(
      "div",
      {
        ref: log,
        className: "chat-log",
        role: "log",
        "aria-label": "Conversation",
        tabIndex: 0,
        onScroll: look,
      },
      entries.map((entry) =>
        h(ChatEntry, {
          key: entry.id,
          entry,
          isAsking:
            entry === asking &&
            entry.kind === "call" &&
            entry.outcome === "running" &&
            entry.tool === question?.tool,
        }),
      ),
    ),
    isBehind &&
      h(
        "button",
        { type: "button", className: "chat-to-end", onClick: goToEnd },
        "Newest",
        h(Hidden, null, " message"),
      ),
  );
}

/** @param {ChatSnapshot} snapshot @param {string} python @returns {string} what goes on */
function doing({ status, entries }, python) {
  if (status === "stopping") return "Stops…";
  if (status === "starting" && python === "loading") return "Python is loading…";
  const running = entries.findLast((entry) => entry.kind === "call" && entry.outcome === "running");
  return running?.kind === "call" ? `${titleOf(running.tool)}…` : "Thinks…";
}

/**
 * A person asks, the assistant works with the shop's tools, and the person is asked.
 *
 * @param {{draft: string, onDraft: (draft: string) => void}} props what is typed lives longer than this view
 */
export function Chat({ draft, onDraft }) {
  const { chat, snapshot } = useChat();
  const { python } = useActivity();
  const question = useQuestion();
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const isIdle = snapshot.status === "idle";
  const isCartOpen = useShop((shop) => shop.isCartOpen);
  const isCovered = useCardQuestion() !== null || isCartOpen; // by a modal dialog, so nobody could answer here

  useEffect(() => {
    chat.askHere(!isCovered);
    return () => chat.askHere(false);
  }, [chat, isCovered]);

  const takeFocus = () => field.current?.focus({ preventScroll: true });

  /** @param {string} text */
  function send(text) {
    if (chat.send(text)) onDraft("");
    takeFocus();
  }

  /** @param {import("react").KeyboardEvent} event */
  function sendByEnter(event) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (isIdle) send(draft);
  }

  function stop() {
    takeFocus(); // the button goes
    chat.stop();
  }

  function clear() {
    takeFocus();
    chat.clear();
  }

  return h(
    Fragment,
    null,
    h(ChatSettings),
    h(Log),
    snapshot.entries.length === 0 && h(Suggestions, { onPick: send }),
    question && h(ChatQuestion, { key: question.id, question, onLeave: takeFocus }),
    !isIdle &&
      h(
        "div",
        { className: "chat-working" },
        h("p", null, doing(snapshot, python)),
        h("button", { type: "button", className: "button button-quiet", onClick: stop }, "Stop"),
      ),
    h(
      "form",
      {
        className: "chat-form",
        onSubmit: (event) => {
          event.preventDefault();
          if (isIdle) send(draft);
        },
      },
      h(
        "label",
        null,
        h(Hidden, null, "Your wish"),
        h("textarea", {
          ref: field,
          rows: 1,
          dir: "auto",
          maxLength: 2000,
          placeholder: "What do you wish?",
          value: draft,
          onChange: (event) => onDraft(event.currentTarget.value),
          onKeyDown: sendByEnter,
        }),
      ),
      h(
        "button",
        {
          type: "submit",
          className: "button chat-send",
          "aria-disabled": !isIdle || !draft.trim(),
        },
        h(Icon, { name: "send" }),
        h(Hidden, null, "Send"),
      ),
    ),
    isIdle &&
      snapshot.entries.length > 0 &&
      h(
        "button",
        { type: "button", className: "link-button chat-clear", onClick: clear },
        "New conversation",
      ),
  );
}
