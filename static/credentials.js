/**
 * Credentials that the page provides to Python's tools. Whatever is not one is a refusal, in one of the words that
 * `webtools/stores/credentials.py` knows; nothing that a provider gives or throws is ever told.
 */
import { kindOf } from "./wire.js";

/**
 * What a tool needs.
 *
 * @typedef {object} Asked
 * @property {string} service
 * @property {string[]} scopes what it has to allow, sorted
 * @property {{tenant?: string, principal?: string}} [identity] for whom, as the caller of the tool says
 */

/**
 * @typedef {object} Given
 * @property {Record<string, string>} headers of a request to the service
 * @property {number} [expiresAt] until when they can be used again, in milliseconds since the Unix epoch; left out: for
 *   the tool that asked only
 */

/** @typedef {(asked: Asked & {signal: AbortSignal}) => Given | null | Promise<Given | null>} Provide null: none now */

export class Credentials {
  /** The page's own function. @type {Provide | undefined} */
  #provide;
  /** What is being asked for. @type {Map<number, AbortController>} */
  #open = new Map();
  #onProvided;

  /** @param {(number: number, text: string) => void} onProvided told the outcome of each request, JSON text */
  constructor(onProvided) {
    this.#onProvided = onProvided;
  }

  /** Whether the page has a provider. */
  get isProvided() {
    return this.#provide !== undefined;
  }

  /** @param {Provide} [provide] from now on; none: there are no credentials */
  provideWith(provide) {
    this.withdrawAll();
    this.#provide = provide;
  }

  /**
   * Ask for a credential.
   *
   * @param {number} number
   * @param {string} text what for, JSON text
   */
  async request(number, text) {
    const controller = new AbortController();
    this.#open.set(number, controller);
    const outcome = await given(this.#provide, JSON.parse(text), controller.signal);
    if (this.#open.delete(number)) this.#onProvided(number, outcome);
  }

  /** Nobody waits for it any more. @param {number} number */
  withdraw(number) {
    const controller = this.#open.get(number);
    this.#open.delete(number);
    controller?.abort();
  }

  /** Nobody waits for anything. */
  withdrawAll() {
    for (const number of [...this.#open.keys()]) this.withdraw(number);
  }
}

/**
 * @param {Provide | undefined} provide
 * @param {Asked} asked
 * @param {AbortSignal} signal
 * @returns {Promise<string>} `{"headers", "expiresAt"?}` or `{"reason"}`, of all else the names; Python judges it
 */
async function given(provide, asked, signal) {
  if (!provide) return reason("no provider");
  try {
    const credential = await provide({ ...asked, signal });
    if (credential === null) return reason("refused");
    const { headers, expiresAt } = Object(credential);
    // JSON has null for NaN and Infinity, as if nothing were said; a text is refused
    const isNoTime = typeof expiresAt === "number" && !Number.isFinite(expiresAt);
    const known = { headers, expiresAt: isNoTime ? String(expiresAt) : expiresAt };
    return JSON.stringify({ ...namesIn(credential), ...known });
  } catch (error) {
    // its text may hold a token, or an address to sign in at
    if (!signal.aborted) {
      console.error(
        `webtools: the page's provider of credentials for ${asked.service} threw ${kindOf(error)}`,
      );
    }
    return reason("failed");
  }
}

/** @param {unknown} given @returns {Record<string, null>} what it has, without the values */
function namesIn(given) {
  const names = given && typeof given === "object" ? Object.keys(given) : [];
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** @param {string} word */
function reason(word) {
  return JSON.stringify({ reason: word });
}
