/**
 * Asks the person in front of the page, one question after another. Whatever is not a plain yes is a refusal, in one of
 * the words that `webtools/calls/confirmation.py` knows.
 */
import { showDialog } from "./dialog.js";
import { macrotask } from "./macrotask.js";

/**
 * @typedef {object} Question
 * @property {string} tool its name
 * @property {string} [title] a short name for people
 * @property {string} message what will happen
 * @property {unknown} arguments of the call, JSON data
 */

/**
 * What became of a question: "allowed", "denied", "dismissed" (Escape), "closed" (the dialog, by something else), "failed"
 * (the page's own way of asking), "headless" (the browser has no window), "unavailable" (no dialog can be shown), or the reason of the signal that ended it.
 *
 * @typedef {string} Outcome
 */

/**
 * The page's own way of asking.
 *
 * @typedef {(question: Question & {signal: AbortSignal}) => boolean | Promise<boolean>} Ask true allows it, false denies
 *   it; `signal` is aborted when the answer is not needed any more
 */

/** The outcome of being asked in a way that holds no more. */
const ANEW = "anew";

export class Confirmations {
  /** Settles when every question so far has been asked. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** The page's own way. @type {Ask | undefined} */
  #own;
  /** How the newest question is asked, and what ends that. @type {{way?: Ask, end: AbortController} | undefined} */
  #put;
  #show;

  /** @param {typeof showDialog} [show] */
  constructor(show = showDialog) {
    this.#show = show;
  }

  /**
   * Ask in another way from now on, also what the person is being asked at this moment.
   *
   * @param {Ask} [ask] the page's own way; none: the library's dialog
   */
  askWith(ask) {
    this.#own = ask;
    macrotask(() => {
      // later, so that an answer of this moment counts, and taking a way back for a moment does nothing
      if (this.#put && this.#put.way !== this.#own) this.#put.end.abort(ANEW);
    });
  }

  /**
   * Ask, in its turn, once the page can be seen.
   *
   * @param {Question} question
   * @param {AbortSignal} signal aborted with a text, the outcome, when the answer is not needed any more
   * @returns {Promise<Outcome>} never rejects
   */
  ask(question, signal) {
    const asked = Promise.race([endOf(signal), this.#inTurn(this.#last, question, signal)]);
    this.#last = Promise.all([this.#last, asked]);
    return asked;
  }

  /**
   * @param {Promise<unknown>} before
   * @param {Question} question
   * @param {AbortSignal} signal
   */
  async #inTurn(before, question, signal) {
    await before;
    for (;;) {
      await untilSeen(signal);
      if (signal.aborted) return String(signal.reason);
      const outcome = await this.#putOnce(question, signal);
      if (outcome !== ANEW) return outcome;
    }
  }

  /**
   * @param {Question} question
   * @param {AbortSignal} signal not aborted yet
   * @returns {Promise<Outcome>} `ANEW` where the way has changed meanwhile
   */
  #putOnce(question, signal) {
    const way = this.#own;
    const end = new AbortController();
    this.#put = { way, end };
    signal.addEventListener("abort", () => end.abort(signal.reason), { once: true });
    const asked = way ? askOwn(way, question, end.signal) : this.#ask(question, end.signal);
    return Promise.race([endOf(end.signal), asked]);
  }

  /** @param {Question} question @param {AbortSignal} signal */
  async #ask(question, signal) {
    try {
      return await this.#show(question, signal);
    } catch (error) {
      console.error("webtools: the dialog cannot be shown", error);
      return "unavailable";
    }
  }
}

/**
 * @param {Ask} ask
 * @param {Question} question
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
async function askOwn(ask, question, signal) {
  try {
    const said = await ask({ ...question, signal });
    if (said === true) return "allowed";
    if (said === false) return "denied";
    throw new TypeError("what it gave is neither true nor false");
  } catch (error) {
    // the bridge's, `webtools/cli/bridge/page.js`
    if (error instanceof Error && error.cause === "headless") return "headless";
    // one that is told to stop may well throw
    if (!signal.aborted) console.error("webtools: the page's way of asking failed", error);
    return "failed";
  }
}

/** @param {AbortSignal} signal @returns {Promise<Outcome>} settles when it is aborted */
function endOf(signal) {
  return new Promise((resolve) => {
    const end = () => resolve(String(signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

/** Settles when the page is visible, or the signal aborted. @param {AbortSignal} signal @returns {Promise<void>} */
function untilSeen(signal) {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === "hidden" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look, { signal });
    signal.addEventListener("abort", look, { once: true });
    look();
  });
}
