/** What there is of one tool's name while Python is not up: its holds, what the browser has, its calls in flight. */

/**
 * A wish of the page's that a tool be registered.
 *
 * @typedef {object} Wish
 * @property {number} number
 * @property {string} name
 * @property {string} [text] the definition's canonical text, of a tool that JavaScript defines or an app has promised
 * @property {string} [resourceId]
 * @property {number} [owner] the same for the same owner
 * @property {import("./promised.js").Promised} [promised] the tool, where an app of Python's is going to define it
 */

/** @typedef {{number: number, text: string, isAccepted: boolean, hold?: number}} Registration `hold` is whose wish it was */

/** The generation of a call that no slot comes back to. */
export const STALE = -1;

/** How long a registration stays after the last answer, so that it gets out. */
export const GRACE_MS = 500;

/** How long refused calls, or an open change of route, can keep a registration that is to go. */
export const MAX_LEAVING_MS = 5000;

/** How often a registration may be lost within the window before it is given up. */
const MAX_LOSSES = 3;

const LOSS_WINDOW_MS = 60_000;

const LOST = "Something else on the page has taken it away three times within a minute.";

/**
 * What a call has to find again to be current.
 *
 * @param {Wish} wish
 * @returns {string} JSON text of definition, resource and owner
 */
export function keyOf({ text, resourceId, owner }) {
  return JSON.stringify([text, resourceId ?? null, owner ?? null]);
}

/** It decides; `Early` asks the browser. */
export class EarlySlot {
  /** @type {Map<number, Wish>} */
  holds = new Map();
  generation = 0;
  /** The key that the last macrotask found, if any. @type {string | undefined} */
  seen;
  /** @type {Registration | undefined} */
  registration;
  /** Why the last registration failed. @type {string | undefined} */
  reason;
  inFlight = 0;
  calls = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** Whether it is left of Python, which has died. */
  isOrphan = false;
  /** Until when a change of route keeps its registration. */
  keptUntil = -Infinity;
  settledAt = -Infinity;
  #acceptedSettledAt = -Infinity;
  /** @type {number | undefined} */
  #leftAt;
  /** @type {number[]} */
  #lostAt = [];

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** The newest live hold. @returns {Wish | undefined} */
  get current() {
    return [...this.holds.values()].at(-1);
  }

  get mustLeave() {
    return this.registration !== undefined && this.current?.text !== this.registration.text;
  }

  /** Whether the macrotask has seen that it is to leave. */
  get isLeaving() {
    return this.#leftAt !== undefined;
  }

  /** The generation as the next macrotask will find it. */
  get comingGeneration() {
    const hold = this.current;
    return this.generation + (hold && keyOf(hold) === this.seen ? 0 : 1);
  }

  get state() {
    if (this.registration) {
      if (this.mustLeave) return "leaving";
      return this.registration.isAccepted ? "registered" : "registering";
    }
    if (!this.current) return "unknown";
    return this.reason === undefined ? "waiting" : "failed";
  }

  /** @param {string} key @param {number} generation both of a call @returns {boolean} whether it is current */
  isCurrent(key, generation) {
    if (generation === this.generation) {
      return [...this.holds.values()].some((hold) => keyOf(hold) === key);
    }
    const hold = this.current;
    return hold !== undefined && keyOf(hold) === key && generation === this.comingGeneration;
  }

  /** @param {Wish} wish @returns {boolean} whether a macrotask has to look */
  hold(wish) {
    this.holds.set(wish.number, wish);
    this.isOrphan = false;
    this.reason = undefined;
    this.seen ??= keyOf(wish);
    return keyOf(wish) !== this.seen;
  }

  /** @param {number} number @returns {boolean} whether it was held by that */
  release(number) {
    // the one before has not been tried
    if (this.current?.number === number) this.reason = undefined;
    return this.holds.delete(number);
  }

  /** The macrotask after a release or a change: what it finds is what counts. */
  look() {
    this.generation = this.comingGeneration;
    this.seen = this.current && keyOf(this.current);
    if (this.mustLeave) this.#leftAt ??= performance.now();
  }

  /** It is to stay after all, or is gone. */
  forgetLeaving() {
    this.#leftAt = undefined;
    clearTimeout(this.timer);
  }

  /** The page is being left: what has begun is stale, whatever is held. */
  interrupt() {
    if (this.inFlight === 0) return;
    this.generation = this.comingGeneration + 1;
    this.seen = this.current && keyOf(this.current);
  }

  /** A call is over; a refused one was never in flight. @param {boolean} isAccepted */
  settle(isAccepted) {
    this.settledAt = performance.now();
    if (isAccepted) this.#acceptedSettledAt = this.settledAt;
  }

  /** @param {string} reason the browser's, for refusing the registration */
  reject(reason) {
    // a hold that came after the attempt is one of its own
    const isNewest = !this.current || this.current.number === this.registration?.hold;
    this.registration = undefined;
    if (isNewest) this.reason = reason;
  }

  /** The browser has dropped the registration without being asked. */
  lose() {
    const now = performance.now();
    this.#lostAt = [...this.#lostAt.filter((each) => now - each < LOSS_WINDOW_MS), now];
    this.registration = undefined;
    if (this.#lostAt.length >= MAX_LOSSES) this.reason = LOST;
  }

  /** @param {number} settledAt when the last call that counts was over @returns {number} when the grace is, in ms */
  due(settledAt) {
    const left = Math.max(this.#acceptedSettledAt, this.#leftAt ?? performance.now());
    return Math.max(this.keptUntil, Math.min(settledAt + GRACE_MS, left + MAX_LEAVING_MS));
  }

  /** @returns {object} what Python goes on from, as JSON data */
  record() {
    const { name, generation, seen = null, registration = null, reason = null, calls } = this;
    const settledMsAgo = this.settledAt === -Infinity ? null : performance.now() - this.settledAt;
    const isKept = this.keptUntil > performance.now();
    const kept = isKept && { isKept };
    return { name, generation, seen, registration, reason, calls, settledMsAgo, ...kept };
  }
}
