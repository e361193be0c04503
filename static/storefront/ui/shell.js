import { createElement as h, Fragment, useEffect, useLayoutEffect } from "../vendor/react.js";
import { AgentPanel } from "./agent-panel.js";
import { CartDrawer, CartPage } from "./cart.js";
import { CataloguePage, shelfTitle } from "./catalogue-page.js";
import { CheckoutPage } from "./checkout-page.js";
import { CardDialog } from "./gift-card.js";
import { Header } from "./header.js";
import { ComparePage } from "./compare-page.js";
import { useCatalogue, useVisit } from "./hooks.js";
import { LiveRegion } from "./live-region.js";
import { MessagePage } from "./message-page.js";
import { OrderPage, OrdersPage } from "./order-pages.js";
import { Empty, PageHeading } from "./parts.js";
import { ProductPage } from "./product-page.js";

/** @typedef {import("../store.js").Visit} Visit */

function MissingPage() {
  return h(
    "div",
    { className: "page page-narrow" },
    h(PageHeading, null, "This page is out at sea"),
    h(
      Empty,
      { title: "There is nothing at this address." },
      h(
        "p",
        { className: "actions" },
        h("a", { className: "button", href: "/" }, "Back to the shop"),
      ),
    ),
  );
}

/** @param {{visit: Visit}} props */
function Page({ visit }) {
  switch (visit.page) {
    case "catalogue":
      return h(CataloguePage);
    case "product":
      return h(ProductPage, { key: visit.sku, sku: visit.sku });
    case "cart":
      return h(CartPage);
    case "checkout":
      return h(CheckoutPage);
    case "order":
      return h(OrderPage, { key: visit.orderId, id: visit.orderId });
    case "orders":
      return h(OrdersPage);
    case "compare":
      return h(ComparePage, { skus: visit.skus });
    case "message":
      return h(MessagePage);
    case "missing":
      return h(MissingPage);
  }
}

const TITLES = {
  cart: "Your cart",
  checkout: "Check out",
  orders: "Your orders",
  compare: "Side by side",
  message: "A message",
  missing: "Page not found",
};

/** @param {Visit} visit @param {import("../catalogue.js").Catalogue} catalogue */
function titleOf(visit, catalogue) {
  if (visit.page === "product") return catalogue.find(visit.sku)?.name ?? "Unknown product";
  if (visit.page === "order") return `Order ${visit.orderId}`;
  if (visit.page !== "catalogue") return TITLES[visit.page];
  return visit.q || visit.category
    ? shelfTitle(visit)
    : "Good things for going out and coming home";
}

/** Title and scroll position of a visit; typing in the search replaces the visit and moves nothing. */
function useVisitEffects() {
  const visit = useVisit();
  const title = titleOf(visit, useCatalogue());
  useEffect(() => {
    document.title = `${title} – Pocket Harbour`;
  }, [title]);
  useLayoutEffect(() => {
    if (!visit.replace || visit.entry === 0) window.scrollTo(0, visit.scrollY);
  }, [visit]);
  return visit;
}

function Footer() {
  return h(
    "footer",
    { className: "footer" },
    h(
      "p",
      null,
      h("strong", null, "Pocket Harbour"),
      " is a demonstration: nothing here is sold, and cart and orders stay in this browser.",
    ),
    h(
      "p",
      null,
      "Its tools for agents are written in Python. ",
      h("a", { href: "/shop.py" }, "Read them"),
    ),
    h("p", null, h("a", { href: "/orders" }, "Your orders")),
  );
}

export function Shell() {
  const visit = useVisitEffects();
  return h(
    Fragment,
    null,
    h("a", { className: "skip-link", href: "#main" }, "Skip to the content"),
    h(Header),
    h("main", { id: "main", tabIndex: -1 }, h(Page, { visit })),
    h(Footer),
    h(AgentPanel),
    h(CartDrawer),
    h(CardDialog),
    h(LiveRegion),
  );
}
