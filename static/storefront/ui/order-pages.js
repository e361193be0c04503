import { countPieces } from "../cart.js";
import { findDelivery } from "../delivery.js";
import { formatMoment, formatPrice, plural } from "../format.js";
import { findOrder } from "../orders.js";
import { orderPath } from "../routes.js";
import { createElement as h } from "../vendor/react.js";
import { useShop, useVisit } from "./hooks.js";
import { DemoNote, Empty, PageHeading, SoldLines } from "./parts.js";

/** @typedef {import("../orders.js").Order} Order */

/** @param {{order: Order}} props */
const Moment = ({ order: { placedAt } }) =>
  h("time", { dateTime: placedAt }, formatMoment(placedAt));

/** @param {{order: Order}} props */
function Recipient({ order: { name, email, street, extra, postcode, city } }) {
  const lines = [name, street, extra, `${postcode} ${city}`].filter(Boolean);
  return h(
    "address",
    null,
    lines.map((line, index) => h("span", { key: index }, line)),
    h("span", { className: "muted" }, email),
  );
}

/** @param {{order: Order}} props */
function Delivery({ order }) {
  const delivery = findDelivery(order.delivery);
  return h(
    "section",
    { className: "panel", "aria-labelledby": "delivery-title" },
    h("h2", { id: "delivery-title" }, "Where to"),
    h(Recipient, { order }),
    h("p", null, `${delivery?.label}, ${delivery?.days}`),
  );
}

/** @param {{order: Order}} props */
function KnownOrder({ order }) {
  const { isPlaced } = useVisit();
  const { id } = order;
  return h(
    "div",
    { className: "page" },
    h(PageHeading, null, isPlaced ? `Thank you, ${order.name}` : `Order ${id}`),
    h(
      "p",
      { className: "lead" },
      isPlaced && `Your order is ${id}. `,
      "Placed on ",
      h(Moment, { order }),
      ".",
    ),
    h(DemoNote),
    h(
      "div",
      { className: "two-columns" },
      h(
        "section",
        { className: "panel", "aria-labelledby": "lines-title" },
        h("h2", { id: "lines-title" }, plural(countPieces(order), "piece")),
        h(SoldLines, order),
      ),
      h(Delivery, { order }),
    ),
    h(
      "p",
      { className: "actions" },
      h("a", { className: "button", href: "/" }, "Back to the shelves"),
      h("a", { className: "button button-quiet", href: "/orders" }, "All your orders"),
    ),
  );
}

/** @param {{id: string}} props */
export function OrderPage({ id }) {
  const order = useShop(({ orders }) => findOrder(orders, id));
  if (order) return h(KnownOrder, { order });
  return h(
    "div",
    { className: "page page-narrow" },
    h(PageHeading, null, "We do not know this order"),
    h(
      Empty,
      { title: `This browser keeps no order ${id}.` },
      h("p", null, "Orders stay in the browser that placed them; it keeps the last twenty."),
      h(
        "p",
        { className: "actions" },
        h("a", { className: "button", href: "/orders" }, "All your orders"),
      ),
    ),
  );
}

/** @param {{order: Order}} props */
function OrderItem({ order }) {
  return h(
    "li",
    { className: "panel order-item" },
    h("h2", null, h("a", { href: orderPath(order.id) }, order.id)),
    h("p", { className: "muted" }, h(Moment, { order })),
    h("p", null, order.lines.map(({ name }) => name).join(", ")),
    h("strong", { className: "line-price" }, formatPrice(order.totalCents)),
  );
}

export function OrdersPage() {
  const orders = useShop((snapshot) => snapshot.orders);
  return h(
    "div",
    { className: "page page-narrow" },
    h(PageHeading, null, "Your orders"),
    orders.length === 0
      ? h(
          Empty,
          { title: "No order has left the quay yet." },
          h("p", null, "What you order here is listed on this page."),
          h(
            "p",
            { className: "actions" },
            h("a", { className: "button", href: "/" }, "To the shelves"),
          ),
        )
      : h(
          "ul",
          { className: "order-list" },
          orders.map((order) => h(OrderItem, { key: order.id, order })),
        ),
  );
}
