import { createElement as h, Fragment } from "../vendor/react.js";
import { isBelow, watchSentence } from "../watches.js";
import { useCatalogue, useShop, useStore } from "./hooks.js";
import { Hidden } from "./parts.js";

/** The prices that an agent watches for the person, in its panel. */
export function Watches() {
  const store = useStore();
  const catalogue = useCatalogue();
  const watches = useShop((snapshot) => snapshot.watches);
  return h(
    Fragment,
    null,
    watches.map((watch) => {
      const product = catalogue.find(watch.sku);
      return (
        product &&
        h(
          "div",
          { key: watch.id, className: "agent-line watch", "data-below": isBelow(watch, product) },
          h("p", null, watchSentence(watch, product)),
          h(
            "button",
            { type: "button", className: "link-button", onClick: () => store.unwatch(watch.id) },
            "Stop",
            h(Hidden, null, ` watching ${product.name}`),
          ),
        )
      );
    }),
  );
}
