import { createSubject } from "./subject.js";

/**
 * Where the chat asks the person whether a call may go on, in place of the library's dialog.
 *
 * @typedef {import("../confirm.js").Question} Question
 * @typedef {Question & {id: number, answer: (isAllowed: boolean) => void}} OpenQuestion
 * @typedef {ReturnType<typeof createQuestionDesk>} QuestionDesk
 */

/** As long Allow takes no click: one that was meant for something else must not allow. */
export const ARMING_MS = 500;

/** Characters that are not seen, or make a text read in another order, but for those that emoji and scripts need. */
const HIDDEN =
  /(?![\n\u200c\u200d\ufe00-\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Of these, what prose has for good reasons: tabs, and marks and isolates, which reorder nothing but what is theirs. */
const OF_PROSE = /[\t\u061c\u200e\u200f\u2066-\u2069]/;

/** @param {string} char */
const escaped = (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** @param {unknown} value JSON data @returns {string} it as a person can read it, and nothing hidden */
function readable(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replace(HIDDEN, escaped);
}

/** @param {string} text for a person @returns {string} it with what would hide or turn a part of it made visible */
const revealed = (text) =>
  text.replace(HIDDEN, (char) => (OF_PROSE.test(char) ? char : escaped(char)));

/**
 * Whether a click on Allow is a person's who has seen the question. A script's is not, though it may be of a tool that
 * clicks what an agent names; and where the page has stood still, a click comes later than it was made.
 *
 * @param {{isTrusted: boolean, timeStamp: number}} click
 * @param {number} seenAt when the question had been painted, by the clock of events
 */
export const isConsent = ({ isTrusted, timeStamp }, seenAt) =>
  isTrusted && timeStamp - seenAt >= ARMING_MS;

/** @param {unknown} given the arguments of a call @returns {[name: string, value: string][]} */
export const readableArguments = (given) =>
  Object.entries(given && typeof given === "object" ? given : {}).map(([name, value]) => [
    readable(name),
    readable(value),
  ]);

export function createQuestionDesk() {
  const { getSnapshot, subscribe, set } = createSubject(/** @type {OpenQuestion | null} */ (null));
  let asked = 0;

  return {
    getSnapshot,
    subscribe,

    /**
     * For `webtools.confirmWith`, which asks one question after another.
     *
     * @param {Question & {signal: AbortSignal}} question `signal` takes it back
     * @returns {Promise<boolean>} false where the person does not allow it, or need not answer any more
     */
    ask: ({ tool, title, message, arguments: given, signal }) =>
      new Promise((resolve) => {
        const id = ++asked;
        /** @param {boolean} isAllowed */
        function answer(isAllowed) {
          signal.removeEventListener("abort", withdraw);
          if (getSnapshot()?.id === id) set(null);
          resolve(isAllowed);
        }
        const withdraw = () => answer(false);
        if (signal.aborted) return resolve(false);
        signal.addEventListener("abort", withdraw);
        const shown = { tool, title: revealed(title || tool), message: revealed(message) };
        set({ id, ...shown, arguments: given, answer });
      }),
  };
}
