/** What JavaScript calls in Python: `webtools.browser.host.Host`. */

/**
 * @typedef {object} Python
 * @property {(url: string, source: string) => string | undefined} load
 * @property {(number: number, name: string, resourceId?: string, owner?: number) => void} hold
 * @property {(number: number) => void} release
 * @property {(pathname: string, hash: string) => void} moved
 * @property {(registration: number, callId: string, text: string) => string | undefined} call
 * @property {(name: string, callId: string, text: string) => string | undefined} call_named
 * @property {(callId: string) => void} abort
 * @property {(registration: number) => void} registered
 * @property {(registration: number, reason: string) => void} rejected
 * @property {(timer: number) => void} timer
 * @property {(call: number, answer: string) => void} page_answered
 * @property {() => string} states
 */

/** @type {(keyof Python)[]} */
const NAMES = [
  "load",
  "hold",
  "release",
  "moved",
  "call",
  "call_named",
  "abort",
  "registered",
  "rejected",
  "timer",
  "page_answered",
  "states",
];

/**
 * Take each function of the host once: asking its proxy anew would make a proxy a call.
 *
 * @param {Record<string, any>} host
 * @returns {Python}
 */
export function functionsOf(host) {
  return /** @type {Python} */ (Object.fromEntries(NAMES.map((name) => [name, host[name]])));
}
