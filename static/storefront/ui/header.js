import { countPieces } from "../cart.js";
import { categories } from "../catalogue.js";
import { plural } from "../format.js";
import { cataloguePath } from "../routes.js";
import { createElement as h, useEffect, useRef, useState } from "../vendor/react.js";
import { Icon, Mark } from "./art.js";
import { useCart, useShop, useStore, useVisit } from "./hooks.js";
import { Hidden } from "./parts.js";

/** The search follows each key on the shelves; from another page it goes there when it is sent. */
function SearchForm() {
  const store = useStore();
  const visit = useVisit();
  const isOnShelves = visit.page === "catalogue";
  const [draft, setDraft] = useState("");
  useEffect(() => setDraft(""), [visit.page, visit.sku]);

  /** @param {string} q */
  function type(q) {
    if (isOnShelves) store.navigate(cataloguePath({ ...visit, q }), { replace: true });
    else setDraft(q);
  }

  /** @param {import("react").FormEvent} event */
  function send(event) {
    event.preventDefault();
    if (!isOnShelves) store.navigate(cataloguePath({ q: draft }));
  }

  return h(
    "form",
    { className: "search", role: "search", action: "/", onSubmit: send },
    h(
      "label",
      { className: "search-label" },
      h(Icon, { name: "search" }),
      h(Hidden, null, "Search the shop"),
      h("input", {
        type: "search",
        name: "q",
        autoComplete: "off",
        placeholder: "Search",
        value: isOnShelves ? visit.q : draft,
        onChange: (event) => type(event.currentTarget.value),
      }),
    ),
  );
}

function CartButton() {
  const store = useStore();
  const pieces = countPieces(useCart());
  const isTouched = useShop(({ cart, touched }) => cart.lines.some(({ sku }) => sku in touched));
  const className = isTouched ? "cart-button is-touched" : "cart-button";
  return h(
    "button",
    { type: "button", className, "aria-haspopup": "dialog", onClick: () => store.showCart(true) },
    h(Icon, { name: "cart" }),
    "Cart",
    h("span", { className: "cart-count", "aria-hidden": true }, pieces),
    h(Hidden, null, ` with ${plural(pieces, "piece")}`),
  );
}

function Departments() {
  const { page, category } = useVisit();
  const nav = useRef(/** @type {HTMLElement | null} */ (null));
  /** Not by scrollIntoView, which would move the page as well. @param {HTMLElement | null | undefined} link */
  const reveal = (link) => {
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - nav.current.clientWidth / 3;
  };
  useEffect(() => reveal(nav.current?.querySelector("[aria-current]")), [page, category]);
  /** Browsers leave a link alone that is partly seen. A click's focus moves nothing below the pointer. @param {import("react").FocusEvent<HTMLElement>} event */
  const onFocus = ({ target }) => void (target.matches(":focus-visible") && reveal(target));
  const departments = [{ id: "", label: "Everything" }, ...categories];
  return h(
    "nav",
    { ref: nav, className: "departments", "aria-label": "Departments", onFocus },
    h(
      "ul",
      null,
      departments.map(({ id, label }) => {
        const isCurrent = page === "catalogue" && category === id;
        return h(
          "li",
          { key: id },
          h(
            "a",
            {
              href: cataloguePath({ category: id }),
              "aria-current": isCurrent ? "page" : undefined,
            },
            label,
          ),
        );
      }),
    ),
  );
}

export function Header() {
  return h(
    "header",
    { className: "header" },
    h(
      "div",
      { className: "header-bar" },
      h("a", { className: "brand", href: "/" }, h(Mark), h("span", null, "Pocket Harbour")),
      h(SearchForm),
      h(CartButton),
    ),
    h(Departments),
  );
}
