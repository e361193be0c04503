import { createElement as h } from "../vendor/react.js";
import { useShop } from "./hooks.js";

/**
 * Says what has changed. There is one on the page and one in the drawer, because a modal dialog silences the rest.
 */
export function LiveRegion() {
  const { id, text } = useShop(({ announcement }) => announcement);
  return h("div", { className: "visually-hidden", role: "status" }, h("span", { key: id }, text));
}
