import { countPieces } from "../cart.js";
import { deliveries, fields, findDelivery, readDetails } from "../delivery.js";
import { formatPrice, plural } from "../format.js";
import { takenOff } from "../gift-cards.js";
import { createElement as h, useId, useRef, useState } from "../vendor/react.js";
import { EmptyCart } from "./cart.js";
import { GiftCard } from "./gift-card.js";
import { useCart, useShop, useStore } from "./hooks.js";
import { DemoNote, PageHeading, SoldLines } from "./parts.js";
import { callTool, WebTool } from "./web-tools.js";

/**
 * @typedef {import("../delivery.js").Details} Details
 * @typedef {import("../delivery.js").Field} Field
 */

/** @param {{id: string, problem: string | undefined}} props */
const Problem = ({ id, problem }) =>
  problem === undefined ? null : h("p", { id, className: "field-problem" }, problem);

/** @param {{field: Field, value: string, problem: string | undefined, onType: (text: string) => void}} props */
function TextField({ field, value, problem, onType }) {
  const id = useId();
  const problemId = `${id}problem`;
  return h(
    "div",
    { className: `field field-${field.id}` },
    h(
      "label",
      { htmlFor: id },
      field.label,
      !field.missing && h("span", { className: "muted" }, " (optional)"),
    ),
    h("input", {
      id,
      name: field.id,
      type: field.id === "email" ? "email" : "text",
      autoComplete: field.autoComplete,
      required: field.missing !== undefined,
      value,
      "aria-invalid": problem !== undefined,
      "aria-describedby": problem === undefined ? undefined : problemId,
      onChange: (event) => onType(event.currentTarget.value),
    }),
    h(Problem, { id: problemId, problem }),
  );
}

/** @param {{value: string, onChoose: (id: string) => void}} props one is always chosen, so nothing can be wrong here */
function DeliveryChoice({ value, onChoose }) {
  return h(
    "fieldset",
    { className: "fieldset" },
    h("legend", null, "How"),
    deliveries.map(({ id, label, days, cents }) =>
      h(
        "label",
        { key: id, className: "choice" },
        h("input", {
          type: "radio",
          name: "delivery",
          value: id,
          checked: id === value,
          onChange: () => onChoose(id),
        }),
        h("span", null, h("strong", null, label), h("span", { className: "muted" }, days)),
        h("span", { className: "choice-price" }, cents === 0 ? "Free" : formatPrice(cents)),
      ),
    ),
  );
}

/** @returns what the cart costs as the person wants it delivered */
function useBill() {
  const { lines, totalCents } = useCart();
  const delivery = useShop(({ draft }) => draft.delivery);
  const deliveryCents = findDelivery(delivery)?.cents ?? 0;
  const cents = totalCents + deliveryCents;
  const giftCents = takenOff(
    useShop(({ giftCard }) => giftCard),
    cents,
  );
  return { lines, deliveryCents, giftCents, totalCents: cents - giftCents };
}

function Summary() {
  const bill = useBill();
  return h(
    "section",
    { className: "panel", "aria-labelledby": "summary-title" },
    h("h2", { id: "summary-title" }, plural(countPieces(bill), "piece")),
    h(SoldLines, bill),
    h("p", null, h("a", { href: "/cart" }, "Change the cart")),
  );
}

/** What a person types is kept by the store, so that a look at the shelves loses none of it. */
function CheckoutForm() {
  const store = useStore();
  const draft = useShop((snapshot) => snapshot.draft);
  const { totalCents } = useBill();
  const [isSent, setSent] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const found = readDetails(draft).problems;
  const problems = isSent ? found : {};

  /** @param {import("react").FormEvent} event */
  function send(event) {
    event.preventDefault();
    const wrong = fields.find(({ id }) => found[id]);
    setSent(true);
    if (wrong)
      /** @type {HTMLElement | null} */ (form.current?.elements.namedItem(wrong.id))?.focus();
    else store.place(draft);
  }

  return h(
    "form",
    { ref: form, className: "checkout-form", noValidate: true, onSubmit: send },
    h(
      "fieldset",
      { className: "fieldset" },
      h("legend", null, "Where to"),
      h(
        "div",
        { className: "fields" },
        fields.map((field) =>
          h(TextField, {
            key: field.id,
            field,
            value: draft[field.id],
            problem: problems[field.id],
            onType: (text) => store.type({ [field.id]: text }),
          }),
        ),
      ),
    ),
    h(DeliveryChoice, {
      value: draft.delivery,
      onChoose: (delivery) => store.type({ delivery }),
    }),
    h(
      "div",
      { className: "checkout" },
      h(
        "button",
        { type: "submit", className: "button" },
        `Place the order, ${formatPrice(totalCents)}`,
      ),
      h(DemoNote),
    ),
  );
}

/** Tells a person where agents order; they themselves may order in any tab. */
function OtherTab() {
  const isElsewhere = useShop(({ isCheckoutElsewhere }) => isCheckoutElsewhere);
  return h(
    "div",
    { role: "status" },
    h(WebTool, { name: "use_checkout_here", enabled: isElsewhere }),
    isElsewhere &&
      h(
        "section",
        { className: "panel other-tab", "aria-label": "Another tab" },
        h(
          "p",
          null,
          "The checkout is open in another tab, and that is where an agent can place the order.",
        ),
        h(
          "button",
          { type: "button", className: "button", onClick: () => callTool("use_checkout_here") },
          "Use it here",
        ),
      ),
  );
}

export function CheckoutPage() {
  const isEmpty = useCart().lines.length === 0;
  return h(
    "div",
    { className: isEmpty ? "page page-narrow" : "page" },
    h(WebTool, { name: "place_order", enabled: !isEmpty }),
    h(WebTool, { name: "apply_gift_card", enabled: !isEmpty }),
    h(PageHeading, null, "Check out"),
    h(OtherTab),
    isEmpty
      ? h(EmptyCart)
      : h(
          "div",
          { className: "two-columns" },
          h(CheckoutForm),
          h("div", { className: "bill-column" }, h(Summary), h(GiftCard)),
        ),
  );
}
