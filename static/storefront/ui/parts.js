import { limitOf } from "../cart.js";
import { formatPrice, plural } from "../format.js";
import { createElement as h, useEffect, useRef } from "../vendor/react.js";
import { useVisit } from "./hooks.js";

/**
 * @typedef {import("../cart.js").CartLine} CartLine
 * @typedef {import("../catalogue.js").Product} Product
 * @typedef {import("react").ReactNode} ReactNode
 */

const STAR = "M10 1.5l2.6 5.5 5.9.8-4.3 4.2 1 6L10 15.1 4.8 18l1-6L1.5 7.8 7.4 7Z";

/** @param {{children?: ReactNode}} props for ears only */
export const Hidden = ({ children }) => h("span", { className: "visually-hidden" }, children);

/**
 * The page's heading. It takes the focus when the page has come by navigation; an agent's navigation leaves the focus to
 * whoever is in the middle of something elsewhere.
 *
 * @param {{children?: ReactNode, className?: string}} props
 */
export function PageHeading({ children, className }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  const { entry, by } = useVisit();
  const isWanted = useRef(entry > 0);
  useEffect(() => {
    const isFree = by !== "agent" || document.activeElement === document.body;
    if (isWanted.current && isFree) heading.current?.focus({ preventScroll: true });
    isWanted.current = false;
  }, [by]);
  return h("h1", { ref: heading, tabIndex: -1, className }, children);
}

/** @param {{className: string}} props */
function FiveStars({ className }) {
  return [0, 1, 2, 3, 4].map((index) =>
    h("path", { key: index, className, d: STAR, transform: `translate(${index * 21} 0)` }),
  );
}

/** @param {{rating: number}} props five stars, filled by tenths: the inner svg cuts them off */
export function Stars({ rating }) {
  return h(
    "svg",
    {
      className: "stars",
      viewBox: "0 0 104 20",
      role: "img",
      "aria-label": `${rating} out of 5 stars`,
    },
    h(FiveStars, { className: "star" }),
    h("svg", { width: rating * 20.8, height: 20 }, h(FiveStars, { className: "star-filled" })),
  );
}

/** @param {{product: Product}} props */
export function Rating({ product: { rating, reviewCount } }) {
  if (rating === null) return h("p", { className: "rating" }, "No reviews yet");
  return h(
    "p",
    { className: "rating" },
    h(Stars, { rating }),
    h("span", null, rating.toFixed(1), " · ", plural(reviewCount, "review")),
  );
}

/** @param {{product: Product}} props what it costs, also at other times */
export function Price({ product: { priceCents, usualCents } }) {
  return h(
    "span",
    { className: "price" },
    h("strong", null, formatPrice(priceCents)),
    usualCents !== undefined &&
      h(
        "span",
        { className: "deal" },
        " Deal of the hour, ",
        h(Hidden, null, "usually "),
        h("s", null, formatPrice(usualCents)),
      ),
  );
}

/** @param {{product: Product}} props */
export function StockNote({ product: { stock } }) {
  if (stock === 0) return h("span", { className: "stock stock-none" }, "Sold out");
  if (stock <= 3) return h("span", { className: "stock stock-low" }, `Only ${stock} left`);
  return h("span", { className: "stock" }, "In stock");
}

/**
 * @param {{product: Product, value: number, label: string, onChange: (quantity: number) => void, max?: number}} props
 */
export function QuantitySelect({ product, value, label, onChange, max = limitOf(product) }) {
  /** @param {import("react").ChangeEvent<HTMLSelectElement>} event */
  const choose = (event) => onChange(Number(event.currentTarget.value));
  const choices = Array.from({ length: Math.max(max, value) }, (_, index) => index + 1);
  return h(
    "label",
    { className: "quantity" },
    h("span", null, "Quantity", h(Hidden, null, label)),
    h(
      "select",
      { value, onChange: choose },
      choices.map((choice) => h("option", { key: choice, value: choice }, choice)),
    ),
  );
}

/** @param {{report: {message: string, done?: number, total?: number}}} props without numbers it only says that something goes on */
export const Bar = ({ report: { message, done, total } }) =>
  h("progress", { className: "call-bar", value: done, max: total, "aria-label": message });

/** @param {{title: string, children?: ReactNode}} props what there is to see where there is nothing */
export const Empty = ({ title, children }) =>
  h("div", { className: "empty" }, h("p", { className: "empty-title" }, title), children);

/** @returns what a demonstration owes to whoever types an address into it */
export const DemoNote = () =>
  h(
    "p",
    { className: "muted" },
    "This is a demonstration: nothing is charged, nothing is sent, and what you type stays in this browser.",
  );

/** @param {{name: ReactNode, cents: number, isTotal?: boolean}} props */
const BillRow = ({ name, cents, isTotal = false }) =>
  h(
    "div",
    { className: isTotal ? "bill-total" : undefined },
    h("dt", null, name),
    h("dd", null, formatPrice(cents)),
  );

/** @param {Pick<import("../orders.js").Order, "lines" | "deliveryCents" | "giftCents" | "totalCents">} props what is paid for, line by line */
export const SoldLines = ({ lines, deliveryCents, giftCents, totalCents }) =>
  h(
    "dl",
    { className: "bill" },
    lines.map(({ sku, name, quantity, lineCents }) =>
      h(BillRow, { key: sku, name: `${quantity} × ${name}`, cents: lineCents }),
    ),
    h(BillRow, { name: "Delivery", cents: deliveryCents }),
    giftCents > 0 && h(BillRow, { name: "Gift card", cents: -giftCents }),
    h(BillRow, { name: "Total", cents: totalCents, isTotal: true }),
  );
