import { DEMO_NUMBERS, readCard } from "../gift-cards.js";
import { formatPrice } from "../format.js";
import { createElement as h, useId, useLayoutEffect, useRef, useState } from "../vendor/react.js";
import { useCardQuestion, useShop, useStore } from "./hooks.js";

/** @param {{onNumber: (number: string) => void, children?: import("react").ReactNode}} props given only what is a card */
function CardForm({ onNumber, children }) {
  const [number, setNumber] = useState("");
  const [problem, setProblem] = useState("");
  const id = useId();

  /** @param {import("react").FormEvent} event */
  function send(event) {
    event.preventDefault();
    try {
      readCard(number);
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
      return;
    }
    onNumber(number);
  }

  return h(
    "form",
    { className: "field", noValidate: true, onSubmit: send },
    h("label", { htmlFor: id }, "Number of the gift card"),
    h("input", {
      id,
      type: "password",
      autoComplete: "off",
      value: number,
      "aria-invalid": problem !== "",
      "aria-describedby": `${id}hint`,
      onChange: (event) => setNumber(event.currentTarget.value),
    }),
    h(
      "div",
      { id: `${id}hint` },
      problem && h("p", { className: "field-problem", role: "alert" }, problem),
      h("p", { className: "muted" }, `For this demonstration: ${DEMO_NUMBERS.join(" or ")}.`),
    ),
    h(
      "p",
      { className: "actions" },
      h("button", { type: "submit", className: "button button-quiet" }, "Use the card"),
      children,
    ),
  );
}

/** At the checkout, where a person uses their card by themselves. */
export function GiftCard() {
  const store = useStore();
  const card = useShop(({ giftCard }) => giftCard);
  const section = useRef(/** @type {HTMLElement | null} */ (null));

  /** The control goes, so the focus goes to the whole. @param {() => void} change */
  function leave(change) {
    section.current?.focus({ preventScroll: true });
    change();
  }

  return h(
    "section",
    {
      ref: section,
      className: "panel",
      tabIndex: -1,
      "aria-labelledby": "gift-card-title",
    },
    h("h2", { id: "gift-card-title" }, "Gift card"),
    card
      ? h(
          "p",
          null,
          `Your card ending in ${card.ending} takes off up to ${formatPrice(card.cents)}. `,
          h(
            "button",
            {
              type: "button",
              className: "link-button",
              onClick: () => leave(() => store.dropCard()),
            },
            "Take it off",
          ),
        )
      : h(CardForm, { onNumber: (number) => leave(() => store.useCard(number)) }),
  );
}

/** Asks for an agent's sake. Modal, so that the browser keeps the focus inside and gives it back. */
export function CardDialog() {
  const question = useCardQuestion();
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const titleId = useId();
  const refuse = () => question?.answer(null);
  /** The event comes late; by then the next question may be open. */
  const refuseIfClosed = () => void (dialog.current?.open || refuse());

  useLayoutEffect(() => {
    const element = dialog.current;
    if (question && element && !element.open) element.showModal();
    if (!question && element?.open) element.close();
  }, [question]);

  return h(
    "dialog",
    { ref: dialog, className: "card-dialog", "aria-labelledby": titleId, onClose: refuseIfClosed },
    question &&
      h(
        "div",
        { className: "card-question" },
        h("h2", { id: titleId }, "Use your gift card?"),
        h(
          "p",
          null,
          "An agent wants to use your gift card for this order. It does not see the number, and the page does not keep it. " +
            "This question goes away after half a minute.",
        ),
        h(
          CardForm,
          { onNumber: question.answer },
          h(
            "button",
            { type: "button", className: "button button-quiet", onClick: refuse },
            "Not now",
          ),
        ),
      ),
  );
}
