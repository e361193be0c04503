/** Answers what submits a form: a person, an agent by a form that is a tool, or one by `formTool`. */

import { GRACE_MS } from "./early-slot.js";
import { succeeded, thrown } from "./encoding.js";
import { LIMIT_MS, tooLate } from "./handlers.js";
import { withLimit } from "./limit.js";
import { macrotask } from "./macrotask.js";

/** @typedef {import("./answers.js").Answer} Answer */

/** Who takes the answers to what `formTool` submits. @type {WeakMap<Event, (answer: Promise<Answer>) => void>} */
const takers = new WeakMap();

/**
 * Have an agent be given the answer to its submission; see `formAnswer`.
 *
 * @param {Event} event
 * @param {(answer: Promise<Answer>) => void} take
 */
export function takeAnswer(event, take) {
  takers.set(event, take);
}

/**
 * Answer a submission, and keep the browser from making it.
 *
 * @param {any} given the event, also React's, while it is dispatched
 * @param {unknown} answer a value, a promise of one, or a function that gives either
 * @returns {Promise<Answer>} what was answered, when an agent that submitted has it; never rejects. Until then the form
 *   has to stay in the document
 * @throws {TypeError} it is no submission, or one that is over
 */
export function formAnswer(given, answer) {
  const event = submissionOf(given);
  given.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const name = nameOf(form);
  const answered = withLimit(answerOf(name, answer), LIMIT_MS, () => tooLate(name));
  const take = takers.get(event);
  if (take) take(answered);
  else if (event.agentInvoked) {
    event.respondWith(answered);
    void answered.then(() => macrotask(() => form.isConnected || warn(name)));
  } else return answered;
  return answered.then(givenOut);
}

/** @param {Answer} answer that an agent is given @returns {Promise<Answer>} when it has it */
function givenOut(answer) {
  return new Promise((resolve) => setTimeout(resolve, GRACE_MS, answer));
}

/** @param {any} given @returns {SubmitEvent & {agentInvoked?: boolean, respondWith(answer: unknown): void}} */
function submissionOf(given) {
  const event = given?.nativeEvent ?? given;
  if (event?.type !== "submit" || typeof given.preventDefault !== "function") {
    throw new TypeError("webtools.formAnswer: give the submit event, then the answer.");
  }
  if (event.eventPhase === Event.NONE) {
    throw new TypeError(
      "webtools.formAnswer: the event is over. Call it in the submit handler before anything is waited for, " +
        "and give it a promise of the answer.",
    );
  }
  return event;
}

/** @param {string} name @param {unknown} answer @returns {Promise<Answer>} never rejects */
async function answerOf(name, answer) {
  try {
    return succeeded(name, await (typeof answer === "function" ? answer() : answer), "{}");
  } catch (error) {
    return thrown(name, error);
  }
}

/** For messages. @param {HTMLFormElement} form whose controls may be called like its members */
function nameOf(form) {
  const attribute = (/** @type {string} */ name) =>
    Element.prototype.getAttribute.call(form, name) ?? "";
  return attribute("toolname") || attribute("id") || "The form";
}

/** @param {string} name */
function warn(name) {
  console.warn(
    `webtools: the form ${name} has left the document before an agent had its answer, which may be lost. ` +
      "Hide it, and take it away when the promise of formAnswer is fulfilled.",
  );
}
