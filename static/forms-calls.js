/** One call of a form: it is filled, somebody submits it, and the page answers. */

import { take } from "./controls.js";
import { FormFailure } from "./form-failure.js";
import { ask, attributeOf, defaultButton, invalidity, isSubmitButton } from "./forms-controls.js";
import { stepsOf } from "./forms-filling.js";
import { textOf } from "./polyfill-executing.js";
import { failure } from "./polyfill-origins.js";
import { onAbort, queueTask } from "./polyfill-tasks.js";

/**
 * @typedef {import("./polyfill-types.js").FormRun} FormRun
 *
 * @typedef {object} FormCall
 * @property {boolean} isFilling whatever changes the form is its own doing
 * @property {boolean} isOver
 * @property {Submission} [submission] the last one
 * @property {Event} [reset] has begun, and can be prevented
 * @property {(text: string | null) => void} answer
 * @property {(reason: string) => void} fail
 *
 * @typedef {object} Submission
 * @property {FormCall} call
 * @property {boolean} isOpen the event's task is not over, so the page can respond
 * @property {Promise<unknown>} [response] what the page said last that it would answer
 */

/** Stand for `:tool-form-active` and `:tool-submit-active`, which script cannot make. */
export const FORM_ACTIVE = "data-tool-form-active";
const SUBMIT_ACTIVE = "data-tool-submit-active";

/** Those under way. @type {WeakMap<EventTarget, FormCall>} */
const calls = new WeakMap();

/** @type {WeakMap<Event, Submission>} */
const submissions = new WeakMap();

/**
 * @param {HTMLFormElement} form
 * @param {object} input
 * @param {FormRun & {refresh: () => void}} run `refresh` takes the page's changes in
 * @returns {Promise<string | null>} null when the browser submits the form
 */
export function callForm(form, input, { signal, activate, refresh }) {
  cancelCall(form, "The form is filled anew.");
  return new Promise((resolve, reject) => {
    const cleanups = [
      mark(form, FORM_ACTIVE),
      onAbort(signal, () => call.fail("The caller cancelled the call.")),
    ];
    /** @param {() => void} settle */
    const end = (settle) => {
      if (call.isOver) return;
      call.isOver = true;
      calls.delete(form);
      cleanups.forEach((cleanUp) => cleanUp());
      settle();
    };
    /** @type {FormCall} */
    const call = {
      isFilling: true,
      isOver: false,
      answer(text) {
        checkReset(call);
        end(() => resolve(text));
      },
      fail: (reason) => end(() => reject(new FormFailure(reason))),
    };
    calls.set(form, call);
    proceed().catch((error) => {
      if (call.isFilling) activate();
      call.fail(`${error?.message ?? error}`); // a setter of the page's own may throw anything
    });

    async function proceed() {
      await fill(form, input, call).finally(refresh);
      call.isFilling = false;
      if (call.isOver) return;
      const button = defaultButton(form);
      const isAutomatic = attributeOf(form, "toolautosubmit") !== null;
      if (button) cleanups.push(mark(button, SUBMIT_ACTIVE));
      if (!isAutomatic) button?.focus();
      activate();
      if (isAutomatic) ask(form, "requestSubmit", defaultButton(form));
      else if (!button) call.fail("The form has no button for the person to submit it.");
      refresh();
      if (isAutomatic && !call.submission) call.fail(`The form is not valid. ${invalidity(form)}`);
    }
  });
}

/**
 * Ends the call of a form, if there is one.
 *
 * @param {HTMLFormElement} form @param {string} reason
 */
export function cancelCall(form, reason) {
  calls.get(form)?.fail(reason);
}

/** Whether changes of a form end its call. @param {HTMLFormElement} form */
export function isWaiting(form) {
  return calls.get(form)?.isFilling === false;
}

/** Whether the page is at a submission of the form's call. @param {HTMLFormElement} form */
export function isSubmitting(form) {
  return Boolean(calls.get(form)?.submission?.isOpen);
}

/** Follows what happens to the forms of a tree. @param {EventTarget} root @returns {() => void} stops it */
export function listen(root) {
  /** @type {Record<string, (event: any) => void>} */
  const listeners = { submit: submissionOf, reset: onReset, click: onClick };
  const types = Object.entries(listeners);
  for (const [type, listener] of types) root.addEventListener(type, listener, true);
  return () => types.forEach(([type, listener]) => root.removeEventListener(type, listener, true));
}

/** What `SubmitEvent` has in addition; see the explainer's "Events". */
export const SUBMIT_EVENT_MEMBERS = Object.getOwnPropertyDescriptors(
  /** @type {ThisType<SubmitEvent>} */ ({
    get agentInvoked() {
      return submissionOf(checked(this)) !== undefined;
    },
    /** @param {unknown} agentResponse */
    respondWith(agentResponse) {
      const event = checked(this);
      if (!arguments.length) throw new TypeError("respondWith needs what is answered.");
      const submission = submissionOf(event);
      const refusal =
        (!event.defaultPrevented && "preventDefault must be called before respondWith.") ||
        (!submission && "respondWith answers an agent, and no agent invoked this.") ||
        (!submission?.isOpen && "respondWith must be called while the event is dispatched.");
      if (refusal) throw failure("InvalidStateError", refusal);
      respond(/** @type {Submission} */ (submission), Promise.resolve(agentResponse));
    },
  }),
);

/** @param {HTMLFormElement} form @param {object} input @param {FormCall} call */
async function fill(form, input, call) {
  for (const step of stepsOf(form, input)) {
    if (call.isOver) return;
    take(step);
    // A browser's events let the page's microtasks in between; so a framework has rendered before the next one.
    await new Promise((resolve) => queueTask(() => resolve(undefined)));
  }
}

/**
 * What an event submits; found by whoever asks first, while the event is on its way. The first submission that comes
 * to an answer is the call's.
 *
 * @param {SubmitEvent} event
 */
function submissionOf(event) {
  const known = submissions.get(event);
  if (known) return known;
  const { isTrusted, target, type } = event;
  const call = isTrusted && type === "submit" && target ? calls.get(target) : undefined;
  if (!call || call.isFilling) return undefined;
  /** @type {Submission} */
  const submission = { call, isOpen: true };
  submissions.set(event, submission);
  call.submission = submission;
  // A task, since a browser's own event lets listeners go on in microtasks.
  queueTask(() => {
    submission.isOpen = false;
    if (submission.response) return;
    if (!event.defaultPrevented) call.answer(null);
    else call.fail("The page prevented the submission and did not call respondWith.");
  });
  return submission;
}

/** @param {Submission} submission @param {Promise<unknown>} response */
function respond(submission, response) {
  const { call } = submission;
  submission.response = response;
  const isLast = () => submission.response === response;
  response.then(
    (value) => {
      if (isLast()) answerWith(call, value);
    },
    () => {
      if (isLast()) call.fail("The promise of respondWith was rejected.");
    },
  );
}

/** @param {FormCall} call @param {unknown} value */
function answerWith(call, value) {
  try {
    call.answer(textOf(value));
  } catch {
    call.fail("The value of respondWith has no JSON form.");
  }
}

/** @param {Event} event */
function onReset(event) {
  const call = event.target ? calls.get(event.target) : undefined;
  if (!call || call.isFilling) return;
  call.reset = event;
  queueTask(() => checkReset(call));
}

/** @param {FormCall} call */
function checkReset(call) {
  if (call.reset && !call.reset.defaultPrevented) call.fail("The form was reset.");
}

/** A person's submission of what is not valid gives no event but this. @param {MouseEvent} event */
function onClick(event) {
  const button = /** @type {any} */ (event.composedPath().find(isSubmitButton));
  const { form, formNoValidate } = button ?? {};
  const call = form && calls.get(form);
  if (!call || call.isFilling || formNoValidate || attributeOf(form, "novalidate") !== null) return;
  queueTask(() => {
    const reason = invalidity(form);
    if (!call.submission && !event.defaultPrevented && reason) {
      call.fail(`The form is not valid. ${reason}`);
    }
  });
}

/** @param {Element} element @param {string} name @returns {() => void} takes it away */
function mark(element, name) {
  Element.prototype.setAttribute.call(element, name, "");
  return () => Element.prototype.removeAttribute.call(element, name);
}

/** @param {SubmitEvent} event also of another frame */
function checked(event) {
  Reflect.get(SubmitEvent.prototype, "submitter", event);
  return event;
}
