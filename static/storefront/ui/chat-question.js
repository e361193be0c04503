import { isConsent } from "../question-desk.js";
import { createElement as h, useId, useLayoutEffect, useRef, useState } from "../vendor/react.js";
import { Arguments } from "./chat-entries.js";
import { Hidden } from "./parts.js";

/**
 * Asks below the conversation, where nothing else is ever shown: neither the page's data nor a model's words get there.
 * The focus comes here only where the person is in the chat, or nowhere; it goes to the whole, so that a key that was
 * meant for something else answers nothing.
 *
 * @param {{question: import("../question-desk.js").OpenQuestion, onLeave: () => void}} props `onLeave` when the focus was
 *   in it at its end
 */
export function ChatQuestion({ question, onLeave }) {
  const whole = useRef(/** @type {HTMLElement | null} */ (null));
  const seenAt = useRef(Infinity);
  const [isElsewhere, setElsewhere] = useState(false);
  const id = useId();

  useLayoutEffect(() => {
    const element = whole.current;
    const { activeElement } = document;
    const isFree =
      activeElement === document.body || element?.closest(".agent")?.contains(activeElement);
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => (seenAt.current = performance.now())); // it has been painted
    });
    setElsewhere(!isFree);
    if (isFree) element?.focus({ preventScroll: true });
    return () => {
      cancelAnimationFrame(frame);
      if (element?.contains(document.activeElement)) onLeave();
    };
  }, []);

  /** @param {import("react").MouseEvent} event */
  function allow(event) {
    if (isConsent(event, seenAt.current)) question.answer(true);
  }

  /** @param {import("react").KeyboardEvent} event */
  function dismiss(event) {
    if (event.key === "Escape") question.answer(false);
  }

  const heading = `An agent wants to use “${question.title}”`;
  return h(
    "section",
    {
      ref: whole,
      className: "chat-question",
      role: "alertdialog",
      tabIndex: -1,
      "aria-labelledby": `${id}title`,
      "aria-describedby": `${id}what`,
      onKeyDown: dismiss,
    },
    h("h3", { id: `${id}title` }, heading),
    h(
      "div",
      { className: "chat-question-what", id: `${id}what`, tabIndex: 0 },
      h("p", { dir: "auto" }, question.message),
      h(Arguments, { given: question.arguments }),
    ),
    h(
      "p",
      { className: "actions" },
      h(
        "button",
        { type: "button", className: "button button-quiet", onClick: () => question.answer(false) },
        "Deny",
      ),
      h("button", { type: "button", className: "button", onClick: allow }, "Allow"),
    ),
    isElsewhere &&
      h(
        "span",
        { role: "alert" },
        h(Hidden, null, `${heading}. Answer in the panel “Agent at work”.`),
      ),
  );
}
