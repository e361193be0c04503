/** One call of a tool that is made of a form: the form is filled, and submitted where the tool is to do that. */

import { takeAsPerson } from "./controls.js";
import { FormFailure } from "./form-failure.js";
import { offeredFields, valueOf } from "./form-fields.js";
import { isTyped, messageOf, probeOf, problem, problemsIn } from "./form-input.js";
import { submitForm } from "./form-submitting.js";
import { ask } from "./forms-controls.js";
import { stepsOfField } from "./forms-filling.js";
import { macrotask } from "./macrotask.js";

/** @typedef {import("./form-input.js").Problem} Problem */
/** @typedef {import("./forms-controls.js").Field} Field */
/** @typedef {import("./handlers.js").HandlerContext} HandlerContext */
/** @typedef {import("./form-submitting.js").TakeAnswer} TakeAnswer */
/** @typedef {import("./form-tools.js").Submit} Submit */
/** @typedef {{form: HTMLFormElement, name: string, submit: Submit, takeAnswer: TakeAnswer}} FormTool */
/** @typedef {Record<string, unknown>} Input */

const FILLED =
  "The form is filled in. The person at the page has still to look at it and to submit it.";

/** The last filling of each form, while it is under way. @type {WeakMap<HTMLFormElement, Promise<unknown>>} */
const fillings = new WeakMap();

/**
 * Fill the form, after whatever call fills it already, and submit it.
 *
 * @param {FormTool} tool
 * @param {Input} input
 * @param {HandlerContext} context
 * @returns {Promise<unknown>} what the tool answers
 */
export async function callForm(tool, input, context) {
  const filling = Promise.resolve(fillings.get(tool.form)).then(() => run(tool, input, context));
  const over = filling.then(
    ({ left }) => left,
    () => {},
  );
  fillings.set(tool.form, over);
  const { answer } = await filling;
  return answer;
}

/**
 * @param {FormTool} tool
 * @param {Input} input
 * @param {HandlerContext} context
 * @returns {Promise<{answer: unknown, left?: Promise<void>}>} the answer may still be a promise, which the next call need
 *   not wait for; but it waits for a page that is left
 */
async function run({ form, name, submit, takeAnswer }, input, { signal, ensureCurrent }) {
  signal.throwIfAborted();
  ensureCurrent();
  if (!isThere(form)) throw gone(name, "none");
  const fields = offeredFields(form);
  const problems = problemsIn(fields, input);
  if (problems.length > 0) {
    const heading = `The arguments of ${name} were not accepted; nothing was filled in.`;
    throw refusal("INVALID_TOOL_ARGS", messageOf(heading, problems), "none", problems);
  }
  const given = [...fields.keys()].filter((each) => Object.hasOwn(input, each));
  for (const each of given) {
    for (const step of stepsNow(form, name, each, input[each])) {
      takeAsPerson(step);
      // a browser's events let the page's microtasks in between, and a framework renders
      await new Promise((resolve) => macrotask(() => resolve(undefined)));
      signal.throwIfAborted();
      if (!isThere(form)) throw gone(name, "unknown");
    }
  }
  const refused = differences(form, given, input);
  if (refused.length > 0) {
    const heading = "The page did not take all that was filled in. Nothing was submitted.";
    throw refusal("FORM_REFUSED", messageOf(heading, refused), "unknown", refused);
  }
  if (submit === "person") return { answer: { submitted: false, message: FILLED } };
  const submission = submitForm(form, takeAnswer);
  if ("refused" in submission) {
    const said = `The form is filled in, but was not submitted. ${submission.refused}`;
    throw refusal("FORM_REFUSED", said, "unknown");
  }
  return submission;
}

/**
 * How to set a field as the form is now: filling the ones before may have changed it.
 *
 * @param {HTMLFormElement} form @param {string} tool @param {string} name @param {unknown} value
 */
function stepsNow(form, tool, name, value) {
  try {
    const field = offeredFields(form).get(name);
    if (field) return stepsOfField(field, value);
  } catch (error) {
    if (!(error instanceof FormFailure)) throw error;
  }
  const said =
    `While ${tool} was filling the form, the page changed it: "${name}" does not take its value any more. ` +
    "Nothing was submitted; list the tools again.";
  throw refusal("FORM_REFUSED", said, "unknown");
}

/**
 * What does not stand in the form as it was given; a control that is gone by now is the page's affair.
 *
 * @param {HTMLFormElement} form @param {string[]} names @param {Input} input
 * @returns {Problem[]}
 */
function differences(form, names, input) {
  const fields = offeredFields(form);
  return names.flatMap((name) => {
    const field = fields.get(name);
    if (!field) return [];
    const wanted = wantedOf(field, input[name]);
    const found = valueOf(field);
    if (sorted(wanted) === sorted(found)) return [];
    return [problem(name, JSON.stringify(wanted), found)];
  });
}

/** @param {Field} field @param {unknown} value */
function wantedOf(field, value) {
  if (field.parameter.type === "checkbox") return stepsOfField(field, value)[0]?.checked;
  if (Array.isArray(value)) return value.map(String);
  return isTyped(field) ? probeOf(field.controls[0], `${value}`).value : `${value}`;
}

/** @param {unknown} value */
function sorted(value) {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}

/** @param {HTMLFormElement} form @returns {boolean} */
function isThere(form) {
  return ask(form, "isConnected");
}

/** @param {string} name @param {"none" | "unknown"} effect */
function gone(name, effect) {
  const said = `The form of ${name} is not in the page any more. Read the page's state before going on.`;
  return Object.assign(new Error(said), { code: "RESOURCE_DISPOSED", effect });
}

/** @param {string} code @param {string} message @param {"none" | "unknown"} effect @param {Problem[]} [problems] */
function refusal(code, message, effect, problems) {
  const details = problems && { problems };
  return Object.assign(new Error(message), { code, effect, details, retryable: true });
}
