import { compare } from "../comparison.js";
import { Picture } from "../pictures.js";
import { productPath } from "../routes.js";
import { createElement as h } from "../vendor/react.js";
import { useCatalogue } from "./hooks.js";
import { Empty, PageHeading, Price, Rating, StockNote } from "./parts.js";

/**
 * @typedef {import("../catalogue.js").Product} Product
 * @typedef {import("../comparison.js").Comparison} Comparison
 */

/** @param {{product: Product}} props */
const ColumnHead = ({ product: { sku, name, picture } }) =>
  h(
    "th",
    { scope: "col" },
    h("div", { className: "compare-picture" }, h(Picture, picture)),
    h("a", { href: productPath(sku) }, name),
  );

/** @param {{label: string, cells: import("react").ReactNode[]}} props */
const TableRow = ({ label, cells }) =>
  h(
    "tr",
    null,
    h("th", { scope: "row" }, label),
    cells.map((cell, index) => h("td", { key: index }, cell)),
  );

/** Browsers leave a link alone that is partly seen. @param {import("react").FocusEvent<HTMLElement>} event */
function reveal({ target }) {
  if (target.matches(":focus-visible"))
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** @param {{products: Product[], rows: Comparison["rows"]}} props wider than a phone, so it scrolls by itself */
function Table({ products, rows }) {
  return h(
    "div",
    {
      className: "compare",
      role: "region",
      "aria-label": "Comparison",
      tabIndex: 0,
      onFocus: reveal,
    },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("td"),
          products.map((product) => h(ColumnHead, { key: product.sku, product })),
        ),
      ),
      h(
        "tbody",
        null,
        h(TableRow, {
          label: "Price",
          cells: products.map((product) => h(Price, { product })),
        }),
        h(TableRow, {
          label: "Stock",
          cells: products.map((product) => h(StockNote, { product })),
        }),
        h(TableRow, { label: "Reviews", cells: products.map((product) => h(Rating, { product })) }),
        rows.map(({ label, values }) => h(TableRow, { key: label, label, cells: values })),
      ),
    ),
  );
}

/** @param {import("../catalogue.js").Catalogue} catalogue @param {readonly string[]} skus */
function read(catalogue, skus) {
  try {
    const { columns, rows } = compare(catalogue, skus);
    return { products: columns.flatMap(({ sku }) => catalogue.find(sku) ?? []), rows, problem: "" };
  } catch (problem) {
    return { products: [], rows: [], problem: /** @type {Error} */ (problem).message };
  }
}

/** @param {{skus: readonly string[]}} props */
export function ComparePage({ skus }) {
  const { products, rows, problem } = read(useCatalogue(), skus);
  return h(
    "div",
    { className: "page" },
    h(PageHeading, null, "Side by side"),
    problem
      ? h(
          Empty,
          { title: problem },
          h(
            "p",
            { className: "actions" },
            h("a", { className: "button", href: "/" }, "To the shelves"),
          ),
        )
      : h(Table, { products, rows }),
  );
}
