import { createElement as h } from "../vendor/react.js";
import { useShop } from "./hooks.js";
import { Empty, PageHeading } from "./parts.js";

/** @param {{message: import("../store.js").Message}} props */
function Message({ message: { to, subject, text, path } }) {
  return h(
    "section",
    { className: "panel", "aria-label": "Message" },
    h("p", { className: "muted" }, "This is a demonstration: the message was not sent."),
    h(
      "dl",
      { className: "details" },
      h("div", null, h("dt", null, "To"), h("dd", null, to)),
      h("div", null, h("dt", null, "Subject"), h("dd", null, subject)),
    ),
    h("p", { className: "message-text" }, text),
    h(
      "p",
      { className: "actions" },
      h("a", { className: "button", href: path }, "Close the message"),
    ),
  );
}

/** The last message that the shop would have sent; it is kept as long as the page lives. */
export function MessagePage() {
  const message = useShop((snapshot) => snapshot.message);
  return h(
    "div",
    { className: "page page-narrow" },
    h(PageHeading, null, "As it would be sent"),
    message ? h(Message, { message }) : h(Empty, { title: "There is no message." }),
  );
}
