/** Elements made without HTML text, and data as a person can read it. */

/** Characters that make a text read in another order than it is written. */
const BIDI = /\p{Bidi_Control}/gu;

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {string | (HTMLElement | string)[]} [content]
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, content = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (typeof content === "string") made.textContent = content;
  else made.append(...content);
  return made;
}

/** @param {unknown} given @returns {string} it as a person can read it, and nothing hidden */
export function shown(given) {
  const escaped = (/** @type {string} */ char) =>
    `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (JSON.stringify(given, null, 2) ?? "").replace(BIDI, escaped);
}
