/** Lists that change while a person reads them: what stays keeps its focus, its selection and what is open in it. */

/**
 * @template T
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {(item: T) => void} update
 */

/** @template K, T */
export class Rows {
  /** @type {Map<K, Row<T>>} */
  #rows = new Map();
  #list;
  #make;

  /**
   * @param {HTMLElement} list has these rows and nothing else
   * @param {(item: T) => Row<T>} make
   */
  constructor(list, make) {
    this.#list = list;
    this.#make = make;
  }

  /** Whether there is none. */
  get isEmpty() {
    return this.#rows.size === 0;
  }

  /** @param {[K, T][]} items in the order in which they are shown */
  show(items) {
    const keys = new Set(items.map(([key]) => key));
    for (const [key, { element }] of this.#rows) {
      if (keys.has(key)) continue;
      this.#rows.delete(key);
      element.remove();
    }
    let place = this.#list.firstElementChild;
    for (const [key, item] of items) {
      let row = this.#rows.get(key);
      if (!row) this.#rows.set(key, (row = this.#make(item)));
      row.update(item);
      if (row.element === place) place = place.nextElementSibling;
      else this.#list.insertBefore(row.element, place);
    }
  }
}

/** @param {string} text @returns {string} it without the page's own origin in its URLs */
export function shorter(text) {
  return text.replaceAll(`${location.origin}/`, "/");
}

/** Write a text where it is another one than before. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
