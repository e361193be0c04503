/**
 * The page's tools while Python is not up. It registers what is held and records what happens, for Python to take
 * over; and where Python is not to come, it lets go of what nobody holds any more.
 *
 * Its slots are those of `webtools/lifecycle/slot.py` as far as this goes; the rules have their source there.
 */
import { changed, hostFailed, notFound, stale } from "./answers.js";
import { macrotask } from "./macrotask.js";

/**
 * A wish of the page's that a tool be registered.
 *
 * @typedef {object} Wish
 * @property {number} number
 * @property {string} name
 * @property {string} [text] the definition's canonical text, of a tool that JavaScript defines
 * @property {string} [resourceId]
 * @property {number} [owner] the same for the same owner
 */

/**
 * @typedef {object} Call
 * @property {Slot} slot
 * @property {string} key of the hold that it began under
 * @property {number} generation
 */

/** @typedef {{number: number, text: string, isAccepted: boolean, hold?: number}} Registration */

/** How long a registration stays after the last answer, so that it gets out. */
const GRACE_MS = 500;

/** How long refused calls can keep a registration that is to go. */
const MAX_LEAVING_MS = 5000;

/** How often a registration may be lost within the window before it is given up. */
const MAX_LOSSES = 3;

const LOSS_WINDOW_MS = 60_000;

const LOST = "Something else on the page has taken it away three times within a minute.";

/** What there is of one name. */
class Slot {
  /** @type {Map<number, Wish>} */
  holds = new Map();
  generation = 0;
  /** The key that the last macrotask found, if any. @type {string | undefined} */
  seen;
  /** `hold` is the number of whose wish it was. @type {Registration | undefined} */
  registration;
  /** @type {string | undefined} */
  reason;
  inFlight = 0;
  calls = 0;
  settledAt = -Infinity;
  acceptedSettledAt = -Infinity;
  /** @type {number | undefined} */
  leftAt;
  /** @type {number[]} */
  lostAt = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** Whether it is left of Python, which has died. */
  isOrphan = false;

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
}

export class Early {
  /** @type {Map<number, Wish>} */
  #wishes = new Map();
  /** @type {Map<string, Slot>} */
  #slots = new Map();
  /** @type {Map<number, Slot>} */
  #byRegistration = new Map();
  /** @type {Map<string, Call>} */
  #calls = new Map();
  /** @type {Set<Slot>} */
  #toLookAt = new Set();
  /** @type {Map<string, string>} */
  #told = new Map();
  #isAlone = true;
  /** Why Python died, once it has. @type {string | undefined} */
  #deathReason;
  #registrations;
  #onState;

  /**
   * @param {import("./registrations.js").Registrations} registrations
   * @param {import("./border.js").Listeners["onState"]} onState
   */
  constructor(registrations, onState) {
    this.#registrations = registrations;
    this.#onState = onState;
  }

  // What a page without Python and Python itself (python.js) have in common

  /**
   * @param {number} number
   * @param {string} name
   * @param {string} [text]
   * @param {string} [resourceId]
   * @param {number} [owner]
   */
  hold(number, name, text, resourceId, owner) {
    const wish = { number, name, text, resourceId, owner };
    this.#wishes.set(number, wish);
    if (text === undefined) return; // Python defines the tool: it will know
    const slot = this.#slotOf(name);
    slot.holds.set(number, wish);
    slot.isOrphan = false;
    slot.reason = undefined;
    slot.seen ??= keyOf(wish);
    if (keyOf(wish) !== slot.seen) this.#lookSoon(slot);
    this.#reconcile(slot);
  }

  /** @param {number} number */
  release(number) {
    const wish = this.#wishes.get(number);
    this.#wishes.delete(number);
    const slot = wish && this.#slots.get(wish.name);
    if (!slot) return;
    // the one before has not been tried
    if (slot.current?.number === number) slot.reason = undefined;
    if (!slot.holds.delete(number)) return;
    this.#lookSoon(slot);
    this.#reconcile(slot);
  }

  /**
   * Count a call in.
   *
   * @param {number} registration
   * @param {string} callId
   * @returns {string | number} the answer, or the number of the wish whose handler is to run
   */
  call(registration, callId) {
    const slot = this.#byRegistration.get(registration);
    return slot ? this.#begin(slot, callId) : JSON.stringify(notFound("This tool", this.#names()));
  }

  /** @param {string} name @param {string} callId @returns {string | number} as `call` */
  callNamed(name, callId) {
    const slot = this.#slots.get(name);
    if (slot) return this.#begin(slot, callId);
    return JSON.stringify(notFound(`The tool "${name}"`, this.#names()));
  }

  /** @param {string} callId of a call whose handler has run; it is counted out */
  countOut(callId) {
    const call = this.#calls.get(callId);
    if (!call) return;
    this.#calls.delete(callId);
    const { slot } = call;
    slot.inFlight -= 1;
    slot.settledAt = slot.acceptedSettledAt = performance.now();
    this.#reconcile(slot);
  }

  /** @param {string} callId @returns {boolean} whether its hold stands, or one that is its equal */
  isCurrent(callId) {
    const call = this.#calls.get(callId);
    if (!call) return false;
    const { slot, key, generation } = call;
    if (generation === slot.generation) {
      return [...slot.holds.values()].some((hold) => keyOf(hold) === key);
    }
    const hold = slot.current;
    return hold !== undefined && keyOf(hold) === key && generation === slot.comingGeneration;
  }

  /** @param {number} registration */
  registered(registration) {
    const slot = this.#byRegistration.get(registration);
    if (slot?.registration?.number !== registration) return;
    slot.registration.isAccepted = true;
    this.#reconcile(slot);
  }

  /** @param {number} registration @param {string} reason */
  rejected(registration, reason) {
    const slot = this.#byRegistration.get(registration);
    this.#byRegistration.delete(registration);
    if (slot?.registration?.number !== registration) return;
    // a hold that came after the attempt is one of its own
    if (!slot.current || slot.current.number === slot.registration.hold) slot.reason = reason;
    slot.registration = undefined;
    this.#reconcile(slot);
  }

  /** @param {number} registration the browser has dropped it without being asked */
  lost(registration) {
    const slot = this.#byRegistration.get(registration);
    this.#byRegistration.delete(registration);
    if (slot?.registration?.number !== registration) return;
    const now = performance.now();
    slot.lostAt = [...slot.lostAt.filter((each) => now - each < LOSS_WINDOW_MS), now];
    slot.registration = undefined;
    if (slot.lostAt.length >= MAX_LOSSES) slot.reason = LOST;
    this.#reconcile(slot);
  }

  /** The page is being left: what has begun is stale, whatever is held. */
  leave() {
    for (const slot of this.#slots.values()) {
      if (slot.inFlight === 0) continue;
      slot.generation = slot.comingGeneration + 1;
      slot.seen = slot.current && keyOf(slot.current);
    }
  }

  /** The page has come back from the back-forward cache. */
  restored() {
    for (const slot of this.#slots.values()) this.#reconcile(slot);
  }

  /** @returns {string} JSON text of the tools' states */
  states() {
    return JSON.stringify(
      [...this.#slots.values()].map(({ name, state, reason, inFlight, calls }) => ({
        name,
        state,
        ...(reason !== undefined && { reason }),
        inFlight,
        calls,
      })),
    );
  }

  // What only a page without Python has

  /** Whether it has to do without Python: nobody asked for it, or it could not be started. */
  set isAlone(/** @type {boolean} */ isAlone) {
    this.#isAlone = isAlone;
    for (const slot of this.#slots.values()) this.#reconcile(slot);
  }

  /**
   * Give everything to Python; nothing happens here afterwards.
   *
   * @returns {string} JSON text, as `webtools.browser.takeover` reads it
   */
  handOver() {
    const now = performance.now();
    const slots = [...this.#slots.values()].map((slot) => {
      clearTimeout(slot.timer);
      const { name, generation, seen = null, registration = null, reason = null, calls } = slot;
      const settled = slot.settledAt === -Infinity ? null : now - slot.settledAt;
      return { name, generation, seen, registration, reason, calls, settledMsAgo: settled };
    });
    const calls = [...this.#calls].map(([id, { slot, key, generation }]) => ({
      id,
      name: slot.name,
      key,
      generation,
    }));
    const wishes = [...this.#wishes.values()];
    for (const all of [this.#wishes, this.#slots, this.#byRegistration, this.#calls]) all.clear();
    for (const all of [this.#toLookAt, this.#told]) all.clear();
    return JSON.stringify({ attempts: this.#registrations.last, wishes, slots, calls });
  }

  /**
   * Python has died: go on with what it leaves. Its own tools answer why, and go together.
   *
   * @param {string} reason
   * @param {Iterable<Wish>} wishes that stand, in their order
   * @param {Iterable<[string, Wish]>} calls those whose handlers run, and the wish that each began under
   */
  inherit(reason, wishes, calls) {
    this.#deathReason = reason;
    const now = performance.now();
    for (const { number, name, text } of this.#registrations.list()) {
      const slot = this.#slotOf(name);
      slot.registration = { number, text, isAccepted: true };
      slot.settledAt = slot.acceptedSettledAt = now; // of calls that the death has just answered
      slot.isOrphan = true;
      this.#byRegistration.set(number, slot);
    }
    for (const wish of wishes) {
      this.#wishes.set(wish.number, wish);
      if (wish.text === undefined) continue;
      const slot = this.#slotOf(wish.name);
      slot.holds.set(wish.number, wish);
      slot.isOrphan = false;
      if (slot.registration?.text === wish.text) slot.registration.hold = wish.number;
    }
    for (const slot of this.#slots.values()) slot.seen = slot.current && keyOf(slot.current);
    for (const [callId, wish] of calls) {
      const slot = this.#slotOf(wish.name);
      slot.inFlight += 1;
      slot.isOrphan = false;
      // Python alone knew the generations: without its own hold it may be stale
      const generation = slot.holds.has(wish.number) ? slot.generation : -1;
      this.#calls.set(callId, { slot, key: keyOf(wish), generation });
    }
    this.isAlone = true;
  }

  /** @param {Slot} slot @param {string} callId @returns {string | number} */
  #begin(slot, callId) {
    slot.calls += 1;
    const hold = slot.current;
    if (!hold || slot.mustLeave) return this.#refuse(slot);
    slot.inFlight += 1;
    this.#calls.set(callId, { slot, key: keyOf(hold), generation: slot.comingGeneration });
    return hold.number;
  }

  /** @param {Slot} slot @returns {string} the answer; the grace begins anew */
  #refuse(slot) {
    slot.settledAt = performance.now();
    const answer = JSON.stringify(this.#refusal(slot));
    this.#reconcile(slot);
    return answer;
  }

  /** @param {Slot} slot */
  #refusal(slot) {
    if (slot.isOrphan) return hostFailed(String(this.#deathReason), "none");
    if (!slot.current) return stale(slot.name);
    const isOpen = slot.inFlight > 0 || !this.#isAlone; // nobody knows when it ends
    const missing = isOpen ? GRACE_MS : this.#due(slot) - performance.now();
    return changed(slot.name, Math.ceil(Math.max(0, missing)));
  }

  /** Bring what is registered towards what is held. @param {Slot} slot */
  #reconcile(slot) {
    if (!slot.mustLeave) {
      slot.leftAt = undefined;
      clearTimeout(slot.timer);
    } else if (this.#mayLeave(slot)) {
      this.#unregister(slot);
    }
    if (!slot.registration && slot.current && slot.reason === undefined) this.#register(slot);
    this.#tell(slot);
  }

  /**
   * Whether macrotask, drain and grace are over, on a page that has to do without Python.
   *
   * @param {Slot} slot
   */
  #mayLeave(slot) {
    if (slot.leftAt === undefined) {
      this.#lookSoon(slot);
      return false;
    }
    clearTimeout(slot.timer);
    if (!this.#isAlone || slot.inFlight > 0) return false;
    const missing = this.#due(slot) - performance.now();
    if (missing <= 0) return true;
    slot.timer = setTimeout(() => this.#reconcile(slot), missing);
    return false;
  }

  /** When the grace is over; what is left of Python goes together. @param {Slot} slot */
  #due(slot) {
    const together = slot.isOrphan
      ? [...this.#slots.values()].filter(({ isOrphan }) => isOrphan)
      : [slot];
    const left = Math.max(slot.acceptedSettledAt, slot.leftAt ?? performance.now());
    const settled = Math.max(...together.map(({ settledAt }) => settledAt));
    return Math.min(settled + GRACE_MS, left + MAX_LEAVING_MS);
  }

  /** @param {Slot} slot */
  #register(slot) {
    const hold = slot.current;
    if (!this.#registrations.hasContext || !hold) return;
    const number = this.#registrations.last + 1;
    const text = String(hold.text);
    slot.registration = { number, text, isAccepted: false, hold: hold.number };
    this.#byRegistration.set(number, slot);
    this.#registrations.register(number, text);
  }

  /** @param {Slot} slot */
  #unregister(slot) {
    const number = Number(slot.registration?.number);
    slot.registration = undefined;
    slot.leftAt = undefined;
    slot.isOrphan = false;
    this.#byRegistration.delete(number);
    this.#registrations.unregister(number);
  }

  /** @param {Slot} slot */
  #lookSoon(slot) {
    if (this.#toLookAt.size === 0) macrotask(() => this.#look());
    this.#toLookAt.add(slot);
  }

  /** The macrotask after a release or a change: what it finds is what counts. */
  #look() {
    const slots = [...this.#toLookAt];
    this.#toLookAt.clear();
    for (const slot of slots) {
      slot.generation = slot.comingGeneration;
      slot.seen = slot.current && keyOf(slot.current);
      if (slot.mustLeave) slot.leftAt ??= performance.now();
      this.#reconcile(slot);
    }
  }

  /** @param {Slot} slot */
  #tell(slot) {
    const { name, state, reason } = slot;
    const now = `${state} ${reason}`;
    if (this.#told.get(name) !== now) {
      this.#told.set(name, now);
      this.#onState(name, state, reason);
    }
    const isLeft = slot.holds.size > 0 || slot.registration || slot.inFlight > 0;
    if (!isLeft && !this.#toLookAt.has(slot)) {
      this.#slots.delete(name);
      this.#told.delete(name);
    }
  }

  /** @param {string} name */
  #slotOf(name) {
    let slot = this.#slots.get(name);
    if (!slot) this.#slots.set(name, (slot = new Slot(name)));
    return slot;
  }

  #names() {
    return [...this.#slots.values()]
      .filter(({ state }) => state !== "leaving")
      .map(({ name }) => name)
      .sort();
  }
}

/**
 * What a call has to find again to be current.
 *
 * @param {Wish} wish
 * @returns {string} JSON text of definition, resource and owner
 */
function keyOf({ text, resourceId, owner }) {
  return JSON.stringify([text, resourceId ?? null, owner ?? null]);
}
