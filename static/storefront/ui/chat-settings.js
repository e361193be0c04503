import { createElement as h, useId, useRef, useState } from "../vendor/react.js";
import { useModelChoice } from "./hooks.js";

/** @param {import("../model-choice.js").ChoiceSnapshot} choice @returns {string} who replies */
export const replier = ({ endpoint }) =>
  endpoint ? `${endpoint.name} at ${endpoint.url}` : "Scripted demo, not an AI model";

/**
 * @param {{id: string, label: string, hint?: string} & import("react").InputHTMLAttributes<HTMLInputElement>} props
 */
const Field = ({ id, label, hint, ...input }) =>
  h(
    "div",
    { className: "field" },
    h("label", { htmlFor: id }, label),
    h("input", { id, "aria-describedby": hint ? `${id}hint` : undefined, ...input }),
    hint && h("p", { id: `${id}hint`, className: "muted" }, hint),
  );

/** Which model replies: the scripted planner, or an endpoint of the OpenAI kind. */
export function ChatSettings() {
  const { choice, choose } = useModelChoice();
  const [isOpen, setOpen] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const id = useId();

  /** The key is read off the field, and taken out of it: it is no part of what React keeps. @param {import("react").FormEvent} event */
  function save(event) {
    event.preventDefault();
    const fields = /** @type {HTMLFormElement} */ (form.current).elements;
    const [url, name, key] = ["url", "name", "key"].map(
      (field) => /** @type {HTMLInputElement} */ (fields.namedItem(field)),
    );
    choose({ url: url.value.trim(), name: name.value.trim() }, key.value);
    key.value = "";
    setOpen(false);
  }

  function demo() {
    choose(null);
    setOpen(false);
  }

  return h(
    "details",
    {
      className: "chat-settings",
      open: isOpen,
      onToggle: ({ currentTarget }) =>
        setOpen(/** @type {HTMLDetailsElement} */ (currentTarget).open),
    },
    h("summary", null, h("span", { className: "muted" }, "Answers: "), replier(choice)),
    h(
      "form",
      { ref: form, onSubmit: save, autoComplete: "off" },
      h(
        "p",
        { className: "muted" },
        "Any server that speaks OpenAI’s chat completions can answer instead.",
      ),
      h(Field, {
        id: `${id}url`,
        label: "Address",
        name: "url",
        required: true,
        defaultValue: choice.endpoint?.url ?? "/v1",
        hint: "Of this site, such as /v1; the site’s policy has to allow any other.",
      }),
      h(Field, {
        id: `${id}name`,
        label: "Model",
        name: "name",
        required: true,
        defaultValue: choice.endpoint?.name,
      }),
      h(Field, {
        id: `${id}key`,
        label: "Key, if your own is needed",
        name: "key",
        type: "password",
        autoComplete: "off",
        hint: choice.hasKey
          ? "There is one. Leave this empty to forget it."
          : "Kept in memory until the page is left, nowhere else.",
      }),
      h(
        "p",
        { className: "actions" },
        h("button", { type: "submit", className: "button button-quiet" }, "Use this model"),
        choice.endpoint &&
          h(
            "button",
            { type: "button", className: "button button-quiet", onClick: demo },
            "Use the scripted demo",
          ),
      ),
    ),
  );
}
