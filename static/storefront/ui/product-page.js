import { limitOf, quantityOf } from "../cart.js";
import { MOST_COMPARED } from "../comparison.js";
import { formatDate } from "../format.js";
import { Picture } from "../pictures.js";
import { cataloguePath, categoryLabel, comparePath } from "../routes.js";
import { createElement as h, useState } from "../vendor/react.js";
import { Icon } from "./art.js";
import { useCatalogue, useShop, useStore, useTouched } from "./hooks.js";
import { Empty, PageHeading, Price, QuantitySelect, Rating, Stars, StockNote } from "./parts.js";
import { AgentTag, ProductCard } from "./product-card.js";

/**
 * @typedef {import("../catalogue.js").Product} Product
 * @typedef {import("../catalogue.js").Review} Review
 */

/** @param {{product: Product}} props */
function BuyBox({ product }) {
  const store = useStore();
  const inCart = useShop(({ cart }) => quantityOf(cart, product.sku));
  const [wanted, setWanted] = useState(1);
  const room = limitOf(product) - inCart;
  if (product.stock === 0)
    return h("p", { className: "buy-note" }, "Sold out for now. The next boat brings more.");
  const max = Math.max(room, 1);
  const quantity = Math.min(wanted, max);
  const add = () => void (room > 0 && store.add(product.sku, quantity));
  const look = () => store.showCart(true);
  return h(
    "div",
    { className: "buy" },
    h(QuantitySelect, {
      product,
      value: quantity,
      max,
      label: ` of ${product.name}`,
      onChange: setWanted,
    }),
    h(
      "button",
      { type: "button", className: "button", "aria-disabled": room === 0, onClick: add },
      h(Icon, { name: "cart" }),
      room > 0 ? "Add to cart" : "No more left",
    ),
    inCart > 0 &&
      h(
        "button",
        { type: "button", className: "link-button buy-note", onClick: look },
        `${inCart} in your cart`,
      ),
  );
}

/** @param {{review: Review}} props */
function ReviewItem({ review: { author, rating, date, text } }) {
  return h(
    "li",
    { className: "review" },
    h(Stars, { rating }),
    h("blockquote", null, h("p", null, text)),
    h(
      "p",
      { className: "review-by" },
      author,
      ", ",
      h("time", { dateTime: date }, formatDate(date)),
    ),
  );
}

/** @param {{product: Product}} props */
function Reviews({ product: { reviews } }) {
  return h(
    "section",
    { className: "reviews", "aria-labelledby": "reviews-title" },
    h("h2", { id: "reviews-title" }, "What customers say"),
    reviews.length === 0
      ? h("p", { className: "muted" }, "Nobody has written about it yet.")
      : h(
          "ul",
          { className: "review-list" },
          reviews.map((review) => h(ReviewItem, { key: review.author, review })),
        ),
  );
}

/** @param {{product: Product}} props */
function Neighbours({ product }) {
  const { products } = useCatalogue();
  const shelf = products.filter(({ category }) => category === product.category);
  const place = shelf.indexOf(product);
  const others = [1, 2, 3, 4].map((step) => shelf[(place + step) % shelf.length]);
  const compared = [product, ...others].slice(0, MOST_COMPARED);
  return h(
    "section",
    { "aria-labelledby": "neighbours-title" },
    h("h2", { id: "neighbours-title" }, "From the same shelf"),
    h(
      "ul",
      { className: "grid" },
      others.map((other) => h(ProductCard, { key: other.sku, product: other, level: "h3" })),
    ),
    h(
      "p",
      null,
      h("a", { href: comparePath(compared.map(({ sku }) => sku)) }, "Compare them side by side"),
    ),
  );
}

/** @param {{product: Product}} props */
function Facts({ product }) {
  const details = [...product.details, { label: "SKU", value: product.sku }];
  return h(
    "div",
    { className: "facts" },
    h(PageHeading, null, product.name),
    h(Rating, { product }),
    h("p", { className: "price-line" }, h(Price, { product }), h(StockNote, { product })),
    h("p", { className: "lead" }, product.description),
    h(BuyBox, { product }),
    h(
      "dl",
      { className: "details" },
      details.map(({ label, value }) =>
        h("div", { key: label }, h("dt", null, label), h("dd", null, value)),
      ),
    ),
    h(
      "ul",
      { className: "tags", "aria-label": "Tags" },
      product.tags.map((tag) =>
        h("li", { key: tag }, h("a", { href: cataloguePath({ q: tag }) }, tag)),
      ),
    ),
  );
}

/** @param {{product: Product}} props */
function KnownProduct({ product }) {
  const isTouched = useTouched(product.sku);
  return h(
    "div",
    { className: "page" },
    h(
      "a",
      { className: "back-link", href: cataloguePath({ category: product.category }) },
      h(Icon, { name: "back" }),
      categoryLabel(product.category),
    ),
    h(
      "div",
      { className: isTouched ? "product is-touched" : "product" },
      h(
        "div",
        { className: "product-picture" },
        h("div", { className: "pocket pocket-large" }, h(Picture, product.picture)),
        h(AgentTag),
      ),
      h(Facts, { product }),
    ),
    h(Reviews, { product }),
    h(Neighbours, { product }),
  );
}

/** @param {{sku: string}} props */
export function ProductPage({ sku }) {
  const product = useCatalogue().find(sku);
  if (product) return h(KnownProduct, { product });
  return h(
    "div",
    { className: "page page-narrow" },
    h(PageHeading, null, "We do not carry this one"),
    h(
      Empty,
      { title: `No product has the SKU ${sku}.` },
      h("p", null, "It may be an old link, or a letter has gone overboard."),
      h(
        "p",
        { className: "actions" },
        h("a", { className: "button", href: "/" }, "Show all products"),
      ),
    ),
  );
}
