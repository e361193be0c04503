/** Elements made without HTML text, and data as a person can read it. */

/**
 * What is not seen, or makes a text read in another order than it is written, but for line ends, joiners and variation
 * selectors, which scripts and emoji need.
 */
const HIDDEN =
  /(?![\n\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Of these, what prose has for good reasons: tabs, and marks and isolates, which reorder nothing but what is theirs. */
const OF_PROSE = /[\t\u061c\u200e\u200f\u2066-\u2069]/;

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
  return (JSON.stringify(given, null, 2) ?? "").replace(HIDDEN, escaped);
}

/** @param {string} text for a person @returns {string} it with what would hide or turn a part of it made visible */
export function revealed(text) {
  return text.replace(HIDDEN, (found) => (OF_PROSE.test(found) ? found : escaped(found)));
}

/** @param {string} found @returns {string} it as JSON would escape it */
function escaped(found) {
  return Array.from({ length: found.length }, (_, index) => {
    return `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
