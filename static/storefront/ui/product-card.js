import { limitOf, quantityOf } from "../cart.js";
import { Picture } from "../pictures.js";
import { productPath } from "../routes.js";
import { createElement as h, memo } from "../vendor/react.js";
import { Icon } from "./art.js";
import { useShop, useStore, useTouched } from "./hooks.js";
import { Hidden, Price, Rating, StockNote } from "./parts.js";

/** @typedef {import("../catalogue.js").Product} Product */

/** @param {Product} product @param {number} quantity */
function addLabel(product, quantity) {
  if (product.stock === 0) return "Sold out";
  return quantity >= limitOf(product) ? "No more left" : "Add";
}

/** @param {{product: Product}} props stays focusable when nothing more can be added, so that the focus is not lost */
function AddButton({ product }) {
  const store = useStore();
  const quantity = useShop(({ cart }) => quantityOf(cart, product.sku));
  const isFull = quantity >= limitOf(product);
  return h(
    "button",
    {
      type: "button",
      className: "add-button",
      "aria-disabled": isFull,
      onClick: () => void (isFull || store.add(product.sku, 1)),
    },
    !isFull && h(Icon, { name: "plus" }),
    addLabel(product, quantity),
    h(Hidden, null, ` ${product.name}`),
    quantity > 0 &&
      h("span", { className: "add-count" }, quantity, h(Hidden, null, " in the cart")),
  );
}

/** The mark of an agent's hand; its doings are in the activity panel, in words. */
export const AgentTag = () => h("span", { className: "agent-tag", "aria-hidden": true }, "Agent");

/** @type {import("react").FunctionComponent<{product: Product, level?: "h2" | "h3"}>} */
export const ProductCard = memo(function ProductCard({ product, level = "h2" }) {
  const isTouched = useTouched(product.sku);
  return h(
    "li",
    { className: isTouched ? "card is-touched" : "card", "data-sku": product.sku },
    h("div", { className: "pocket" }, h(Picture, product.picture)),
    h(AgentTag),
    h(
      "div",
      { className: "card-text" },
      h(
        level,
        { className: "card-name" },
        h("a", { href: productPath(product.sku) }, product.name),
      ),
      h(Rating, { product }),
      h(
        "div",
        { className: "card-foot" },
        h("p", { className: "card-price" }, h(Price, { product }), h(StockNote, { product })),
        h(AddButton, { product }),
      ),
    ),
  );
});
