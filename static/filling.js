/** Fills the page's controls with what a call's arguments are, one after another, so that a person can follow. */
import { canTake, check, choose, take, takeAsPerson, tell, textOf, write } from "./controls.js";

/** @typedef {import("./forms-controls.js").Control} Control */

/**
 * What is to be done to one control.
 *
 * @typedef {object} Task
 * @property {Control} control
 * @property {() => void} set does it at once
 * @property {string} [typed] the text, where it can be typed
 */

/** How long the fields of one call may take in all. */
export const FILLING_MS = 400;

/** How long one of few takes at most. */
const FIELD_MS = 250;

/** Between two pieces of a text. */
const PIECE_MS = 25;

/** Whose text can be written piece by piece. */
const TYPED = new Set(["email", "search", "tel", "text", "textarea", "url"]);

/** What an agent's call never fills. */
const BARRED = new Set(["button", "file", "hidden", "image", "password", "reset", "submit"]);

/**
 * What there is to do.
 *
 * @param {Element[]} elements what a field's selector finds; several are the choices of one name
 * @param {unknown} value of the argument, JSON data; null leaves the field alone
 * @returns {Task | undefined} nothing where it shows that already, or is not to be filled
 */
export function taskOf(elements, value) {
  const controls = /** @type {Control[]} */ (elements.filter(isFillable));
  const [first] = controls;
  if (!first || value === null || value === undefined) return undefined;
  if (first.type === "checkbox") return checkboxTask(controls, value);
  const text = textOf(value);
  if (first.type === "radio") {
    const chosen = controls.find((each) => each.value === text);
    return chosen && clickTask(chosen, true);
  }
  if (first.localName === "select")
    return selectTask(first, Array.isArray(value) ? value : [value]);
  if (text === undefined || first.value === text || !canTake(first, text)) return undefined;
  if (first.maxLength >= 0 && text.length > first.maxLength) return undefined;
  const set = () => take(write(first, text));
  return { control: first, set, ...(TYPED.has(first.type) && { typed: text }) };
}

/**
 * Do it slowly enough to be seen.
 *
 * @param {Task[]} tasks
 * @param {AbortSignal} signal stops it wherever it is
 * @param {(control: Control) => void} onNext told of each control before it is filled
 */
export async function fillVisibly(tasks, signal, onNext) {
  const eachMs = Math.min(FIELD_MS, FILLING_MS / tasks.length);
  for (const task of tasks) {
    if (signal.aborted) return;
    if (isEdited(task.control)) continue;
    onNext(task.control);
    if (task.typed === undefined) {
      await pause(eachMs / 2, signal);
      if (!signal.aborted) task.set();
      await pause(eachMs / 2, signal);
    } else await type(task.control, task.typed, eachMs, signal);
  }
}

/** @param {Task[]} tasks */
export function fillAtOnce(tasks) {
  for (const { control, set } of tasks) if (!isEdited(control)) set();
}

/**
 * @param {Control} control
 * @param {string} text
 * @param {number} ms
 * @param {AbortSignal} signal
 */
async function type(control, text, ms, signal) {
  const points = [...text];
  const count = Math.max(1, Math.min(points.length, Math.floor(ms / PIECE_MS)));
  for (let piece = 1; piece <= count; piece += 1) {
    await pause(ms / count, signal);
    if (signal.aborted || isEdited(control) || !isFillable(control)) return;
    const end = Math.round((points.length * piece) / count);
    if (write(control, points.slice(0, end).join("")).set()) tell(control, "input");
  }
  tell(control, "change");
}

/** A person's own work is left alone, and so is what only the page may set. @param {Element} element */
function isFillable(element) {
  const { localName, type, readOnly } = /** @type {Control} */ (/** @type {unknown} */ (element));
  return (
    ["input", "select", "textarea"].includes(localName) &&
    !BARRED.has(type) &&
    !element.matches(":disabled, [inert] *, [inert]") &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !(readOnly && type !== "checkbox" && type !== "radio")
  );
}

/** Whether the person is in it at this moment. @param {Control} control */
function isEdited(control) {
  const root = /** @type {Document | ShadowRoot} */ (control.getRootNode());
  return root.activeElement === control;
}

/** @param {Control[]} controls @param {unknown} value @returns {Task | undefined} */
function checkboxTask([first, ...others], value) {
  if (typeof value === "boolean") return clickTask(first, value);
  if (!Array.isArray(value)) return undefined;
  const chosen = value.map(textOf);
  const tasks = [first, ...others].flatMap(
    (each) => clickTask(each, chosen.includes(each.value)) ?? [],
  );
  if (tasks.length === 0) return undefined;
  return { control: tasks[0].control, set: () => tasks.forEach(({ set }) => set()) };
}

/** @param {Control} control @param {boolean} checked @returns {Task | undefined} */
function clickTask(control, checked) {
  if (control.checked === checked) return undefined;
  return { control, set: () => takeAsPerson(check(control, checked)) };
}

/** @param {Control} control @param {unknown[]} values @returns {Task | undefined} */
function selectTask(control, values) {
  const texts = values.map(textOf);
  const options = [...control.options]
    .filter(({ disabled }) => !disabled)
    .map(({ value }) => value);
  if (!texts.every((text) => text !== undefined && options.includes(text))) return undefined;
  return { control, set: () => take(choose(control, texts)) };
}

/** @param {number} ms @param {AbortSignal} signal ends it @returns {Promise<void>} */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
