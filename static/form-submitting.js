/** Submits a form for an agent. */

import { GRACE_MS } from "./early-slot.js";
import { ask, attributeOf, defaultButton, hasButton, invalidity } from "./forms-controls.js";

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {typeof import("./form-answer.js").takeAnswer} TakeAnswer */

const SUBMITTED = "The form is filled in and submitted.";
const LEAVING =
  "The form is filled in, and submitted as soon as this answer is out. The browser leaves the page for what its " +
  "server answers.";

/** How long a page may take to be left: what the server answers may be a file, and the page stays. */
const LEAVING_MS = 5_000;

/** Whose page a submission replaces; any other one is a window or a frame beside it. */
const OWN_TARGETS = ["", "_self", "_parent", "_top"];

/**
 * Submit it as its button does.
 *
 * A submission that leaves the page is put off until the answer is out: the browser would drop it with the page.
 *
 * @param {HTMLFormElement} form
 * @param {TakeAnswer} takeAnswer
 * @returns {{answer: unknown, left?: Promise<void>} | {refused: string}} the answer, or a promise of the one that the page
 *   gives by `formAnswer`, and what is there when a submission was put off; or why it is not submitted
 */
export function submitForm(form, takeAnswer) {
  const button = defaultButton(form);
  if (!button && hasButton(form)) return { refused: "Its button is disabled." };
  const tree = treeOf(form);
  /** @type {SubmitEvent | undefined} */
  let submission;
  /** @type {Promise<Answer> | undefined} */
  let answered;
  let isLeaving = false;
  const onFirst = (/** @type {any} */ event) => {
    if (event.target !== form) return;
    submission = event;
    takeAnswer(event, (answer) => (answered = answer));
  };
  const onLast = (/** @type {any} */ event) => {
    if (event.target !== form || event.defaultPrevented || !leavesPage(event, form)) return;
    event.preventDefault();
    isLeaving = true;
  };
  tree.addEventListener("submit", onFirst, true);
  tree.addEventListener("submit", onLast);
  ask(form, "requestSubmit", button);
  tree.removeEventListener("submit", onFirst, true);
  tree.removeEventListener("submit", onLast);
  if (!submission) return { refused: invalidity(form) || "The page did not let it be submitted." };
  if (answered) return { answer: answered.then(valueOf) };
  if (!isLeaving) return { answer: { submitted: true, message: SUBMITTED } };
  return { answer: { submitted: true, message: LEAVING }, left: submitLater(form, submission) };
}

/**
 * A person who submits it in between is faster, and their submission is the only one.
 *
 * @param {HTMLFormElement} form @param {SubmitEvent} submission
 * @returns {Promise<void>} settles when the page is still there: another submission would take the place of this one
 */
function submitLater(form, { submitter }) {
  const tree = treeOf(form);
  const over = new AbortController();
  const onOther = (/** @type {Event} */ { target }) => target === form && over.abort();
  tree.addEventListener("submit", onOther, { capture: true, signal: over.signal });
  return new Promise((resolve) => {
    setTimeout(() => {
      if (!over.signal.aborted) submitAgain(form, submitter);
      over.abort();
      setTimeout(resolve, LEAVING_MS);
    }, GRACE_MS);
  });
}

/**
 * The page has heard of it, so nobody hears of it again.
 *
 * @param {HTMLFormElement} form @param {any} submitter
 */
function submitAgain(form, submitter) {
  const tree = treeOf(form);
  const hush = (/** @type {Event} */ event) => {
    if (event.target === form) event.stopImmediatePropagation();
  };
  tree.addEventListener("submit", hush, true);
  ask(form, "requestSubmit", submitter?.form === form ? submitter : undefined);
  tree.removeEventListener("submit", hush, true);
}

/** Where all of a submission's listeners are in. @param {HTMLFormElement} form @returns {EventTarget} */
function treeOf(form) {
  const root = ask(form, "getRootNode");
  return root.defaultView ?? root;
}

/** @param {SubmitEvent} event @param {HTMLFormElement} form */
function leavesPage({ submitter }, form) {
  const of = (/** @type {string} */ name) =>
    submitter?.getAttribute(`form${name}`) ?? attributeOf(form, name) ?? "";
  return (
    of("method").toLowerCase() !== "dialog" && OWN_TARGETS.includes(of("target").toLowerCase())
  );
}

/** What is answered with this answer, once more. @param {Answer} answer */
function valueOf({ content: [{ text }], structuredContent, isError }) {
  if (!isError) return structuredContent ?? text;
  const { error } = /** @type {Record<string, any>} */ (structuredContent);
  throw Object.assign(new Error(text), error);
}
