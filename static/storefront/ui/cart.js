import { countPieces } from "../cart.js";
import { formatPrice, plural } from "../format.js";
import { Picture } from "../pictures.js";
import { productPath } from "../routes.js";
import { createElement as h, Fragment, useId, useLayoutEffect, useRef } from "../vendor/react.js";
import { Icon } from "./art.js";
import { useCart, useCatalogue, useShop, useStore, useTouched } from "./hooks.js";
import { LiveRegion } from "./live-region.js";
import { Empty, Hidden, PageHeading, QuantitySelect } from "./parts.js";
import { AgentTag } from "./product-card.js";
import { WebTool } from "./web-tools.js";

/**
 * @typedef {import("../cart.js").CartLine} CartLine
 * @typedef {import("../catalogue.js").Product} Product
 */

/** @param {{line: CartLine, product: Product, onRemove: () => void}} props */
function LineControls({ line: { sku, name, quantity }, product, onRemove }) {
  const store = useStore();
  return h(
    "div",
    { className: "line-controls" },
    h(QuantitySelect, {
      product,
      value: quantity,
      label: ` of ${name}`,
      onChange: (wanted) => store.put(sku, wanted),
    }),
    h(
      "button",
      { type: "button", className: "link-button", onClick: onRemove },
      "Remove",
      h(Hidden, null, ` ${name}`),
    ),
  );
}

/** @param {{line: CartLine, onRemove: () => void}} props */
function Line({ line, onRemove }) {
  const { sku, name, unitPriceCents, lineCents } = line;
  const isTouched = useTouched(sku);
  const product = useCatalogue().find(sku);
  if (!product) return null;
  return h(
    "li",
    { className: isTouched ? "line is-touched" : "line", "data-sku": sku },
    h("div", { className: "line-picture" }, h(Picture, product.picture)),
    h(
      "div",
      null,
      h("a", { className: "line-name", href: productPath(sku) }, name),
      h("p", { className: "muted" }, formatPrice(unitPriceCents), " each"),
    ),
    h("strong", { className: "line-price" }, formatPrice(lineCents)),
    h(LineControls, { line, product, onRemove }),
    h(AgentTag),
  );
}

function Checkout() {
  return h(
    "div",
    { className: "checkout" },
    h("a", { className: "button", href: "/checkout" }, "Check out"),
    h("p", { className: "muted" }, "A demonstration: nothing is sold and nothing is charged."),
  );
}

export function EmptyCart() {
  return h(
    Empty,
    { title: "Your cart is empty." },
    h("p", null, "A mug or a notebook is a good beginning."),
    h(
      "p",
      { className: "actions" },
      h("a", { className: "button", href: "/" }, "To the shelves"),
      h("a", { className: "button button-quiet", href: "/orders" }, "Your orders"),
    ),
  );
}

/** @param {{onRemove: (remove: () => void) => void}} props */
function FullCart({ onRemove }) {
  const store = useStore();
  const cart = useCart();
  return h(
    Fragment,
    null,
    h(
      "ul",
      { className: "lines" },
      cart.lines.map((line) =>
        h(Line, { key: line.sku, line, onRemove: () => onRemove(() => store.put(line.sku, 0)) }),
      ),
    ),
    h(
      "p",
      { className: "cart-total" },
      h("span", null, `Total, ${plural(countPieces(cart), "piece")}`),
      h("strong", null, formatPrice(cart.totalCents)),
    ),
    h(Checkout),
    h(
      "button",
      { type: "button", className: "link-button", onClick: () => onRemove(() => store.clear()) },
      "Empty the cart",
    ),
  );
}

function CartContents() {
  const isEmpty = useCart().lines.length === 0;
  const contents = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** The button goes with its line, so the focus goes to the whole. @param {() => void} remove */
  function onRemove(remove) {
    contents.current?.focus({ preventScroll: true });
    remove();
  }
  return h(
    "div",
    {
      ref: contents,
      className: "cart-contents",
      role: "group",
      "aria-label": "Cart",
      tabIndex: -1,
    },
    h(WebTool, { name: "set_quantity" }),
    h(WebTool, { name: "clear_cart", enabled: !isEmpty }),
    h(WebTool, { name: "start_checkout", enabled: !isEmpty }),
    isEmpty ? h(EmptyCart) : h(FullCart, { onRemove }),
  );
}

export function CartPage() {
  return h(
    "div",
    { className: "page page-narrow" },
    h(PageHeading, null, "Your cart"),
    h(CartContents),
  );
}

/** The cart beside any page. Modal, so that the browser keeps the focus inside and gives it back. */
export function CartDrawer() {
  const store = useStore();
  const isOpen = useShop(({ isCartOpen }) => isCartOpen);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (isOpen && element && !element.open) element.showModal();
    if (!isOpen && element?.open) element.close();
  }, [isOpen]);

  const close = () => store.showCart(false);
  /** @param {import("react").MouseEvent} event a click beside the drawer meets the dialog itself, its backdrop */
  const closeBeside = (event) => void (event.target === dialog.current && close());

  return h(
    "dialog",
    {
      ref: dialog,
      className: "drawer",
      "aria-labelledby": titleId,
      onClose: close,
      onClick: closeBeside,
    },
    isOpen &&
      h(
        "div",
        { className: "drawer-inside" },
        h(
          "div",
          { className: "drawer-head" },
          h("h2", { id: titleId }, "Your cart"),
          h("a", { href: "/cart" }, "Open as a page"),
          h(
            "button",
            { type: "button", className: "icon-button", onClick: close },
            h(Icon, { name: "close" }),
            h(Hidden, null, "Close the cart"),
          ),
        ),
        h(CartContents),
        h(LiveRegion),
      ),
  );
}
