/** Sets the controls of a page as if a person had done it. */

/**
 * @typedef {import("./forms-controls.js").Control} Control
 *
 * @typedef {object} Step
 * @property {Control} control
 * @property {() => boolean} set tells whether it changed anything
 * @property {boolean} [checked] what a box is to be
 */

/** Types whose controls drop a text that they cannot take. */
const STRICT = new Set([
  "color",
  "date",
  "datetime-local",
  "month",
  "number",
  "range",
  "time",
  "week",
]);

/**
 * Sets one control, and tells the page so, as if a person had done it; so not of what is hidden.
 *
 * @param {Step} step
 */
export function take({ control, set }) {
  if (!set() || control.type === "hidden") return;
  tell(control, "input");
  tell(control, "change");
}

/**
 * The same, but boxes are clicked: that is what some frameworks listen to, React among them. Chromium 156 does not do so
 * when it fills a declarative form, and `take` is what it does.
 *
 * @param {Step} step
 */
export function takeAsPerson(step) {
  const { control, checked } = step;
  if (checked === undefined) take(step);
  else if (control.checked !== checked) control.click();
}

/** @param {Control} control @param {"input" | "change"} type of the event */
export function tell(control, type) {
  const { Event } = /** @type {Window & typeof globalThis} */ (control.ownerDocument.defaultView);
  control.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
}

/** @param {Control} control @param {string} value @returns {Step} */
export function write(control, value) {
  return { control, set: () => change(control, "value", value) };
}

/** @param {Control} control @param {boolean} checked @returns {Step} */
export function check(control, checked) {
  return { control, checked, set: () => change(control, "checked", checked) };
}

/** @param {Control} control @param {(string | undefined)[]} values @returns {Step} */
export function choose(control, values) {
  const selection = () => Array.from(control.options, ({ selected }) => selected).join();
  return {
    control,
    set() {
      const before = selection();
      const options = [...control.options];
      if (control.multiple) {
        for (const option of options) option.selected = values.includes(option.value);
      } else control.selectedIndex = options.findIndex(({ value }) => value === values[0]);
      return selection() !== before;
    },
  };
}

/**
 * By the prototype's setter: a framework that watches a control has put one of its own on the element, and would take
 * the event for its own doing.
 *
 * @param {Control} control @param {"value" | "checked"} name @param {string | boolean} value
 */
function change(control, name, value) {
  const before = control[name];
  Reflect.set(Object.getPrototypeOf(control), name, value, control);
  return control[name] !== before;
}

/** @param {unknown} value @returns {string | undefined} none for what is no simple value */
export function textOf(value) {
  return ["boolean", "number", "string"].includes(typeof value) ? `${value}` : undefined;
}

/** @param {Control} control @param {string} text */
export function canTake({ ownerDocument, type }, text) {
  if (!STRICT.has(type)) return true;
  const probe = ownerDocument.createElement("input");
  probe.type = type === "range" ? "number" : type;
  const empty = probe.value;
  probe.value = text;
  if (probe.type === "number") return probe.value !== "";
  return !text || probe.value !== empty || text === empty;
}
