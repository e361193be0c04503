import { plural } from "../format.js";
import { cataloguePath, categoryLabel, sorts } from "../routes.js";
import { selectProducts } from "../search.js";
import { createElement as h, useMemo } from "../vendor/react.js";
import { Harbour } from "./art.js";
import { useCatalogue, useStore, useVisit } from "./hooks.js";
import { Empty, PageHeading } from "./parts.js";
import { ProductCard } from "./product-card.js";

/** @typedef {import("../routes.js").Sort} Sort */

/** @param {import("../routes.js").Filter} filter */
export function shelfTitle({ q, category }) {
  const shelf = category ? categoryLabel(category) : "Everything";
  return q.trim() ? `“${q.trim()}” in ${shelf}` : shelf;
}

function Hero() {
  return h(
    "div",
    { className: "hero" },
    h(
      "div",
      { className: "hero-text" },
      h(PageHeading, null, "Good things for going out and coming home"),
      h(
        "p",
        null,
        "Boots and bags, tents and teapots. Forty-eight things that fit a small harbour, and most of them a large pocket.",
      ),
    ),
    h(Harbour),
  );
}

/** @param {{count: number}} props */
function Toolbar({ count }) {
  const store = useStore();
  const visit = useVisit();
  /** @param {import("react").ChangeEvent<HTMLSelectElement>} event */
  function choose(event) {
    const sort = /** @type {Sort} */ (event.currentTarget.value);
    store.navigate(cataloguePath({ ...visit, sort }), { replace: true });
  }
  return h(
    "div",
    { className: "toolbar" },
    h("p", { role: "status" }, plural(count, "product")),
    h(
      "label",
      { className: "sort" },
      "Sort by",
      h(
        "select",
        { value: visit.sort, onChange: choose },
        sorts.map(({ id, label }) => h("option", { key: id, value: id }, label)),
      ),
    ),
  );
}

/** @param {{q: string, category: string}} props */
function NothingFound({ q, category }) {
  return h(
    Empty,
    { title: "Nothing on this shelf." },
    h("p", null, "Try a shorter word, or the name of a thing: “tent”, “coffee”, “laptop”."),
    h(
      "p",
      { className: "actions" },
      category && q
        ? h("a", { className: "button", href: cataloguePath({ q }) }, "Search everything")
        : null,
      h("a", { className: "button button-quiet", href: "/" }, "Show all products"),
    ),
  );
}

export function CataloguePage() {
  const { products } = useCatalogue();
  const { q, category, sort } = useVisit();
  const found = useMemo(
    () => selectProducts(products, { q, category, sort }),
    [products, q, category, sort],
  );
  const isFront = q.trim() === "" && category === "";
  return h(
    "div",
    { className: "page" },
    isFront
      ? h(Hero)
      : h(PageHeading, { className: "shelf-title" }, shelfTitle({ q, category, sort })),
    h(Toolbar, { count: found.length }),
    found.length === 0
      ? h(NothingFound, { q, category })
      : h(
          "ul",
          { className: "grid" },
          found.map((product) => h(ProductCard, { key: product.sku, product })),
        ),
  );
}
