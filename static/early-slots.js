/**
 * The slots of the page's tools while Python is not up: what is registered is brought towards what is held.
 *
 * The rules are those of `webtools/lifecycle/slot.py` as far as this goes, and have their source there.
 */
import { EarlySlot } from "./early-slot.js";
import { macrotask } from "./macrotask.js";
import { slotOf } from "./observed.js";

/**
 * What the slots ask of their owner.
 *
 * @typedef {object} Owner
 * @property {import("./border.js").Listeners["onState"]} onState
 * @property {import("./border.js").Listeners["onNeed"]} onNeed
 * @property {(slot: EarlySlot, before: number) => void} onLook a macrotask has looked at one; `before` is the generation
 *   until then
 * @property {(slot: () => import("./observed.js").Slot) => void} onChange told after everything that may have changed one
 */

export class EarlySlots {
  /** @type {Map<string, EarlySlot>} */
  byName = new Map();
  /** @type {Map<number, EarlySlot>} */
  byRegistration = new Map();
  /** Whether the page has to do without Python: nobody asked for it, or it could not be started. */
  isAlone = true;
  /** @type {Set<EarlySlot>} */
  #toLookAt = new Set();
  /** @type {Map<string, string>} */
  #told = new Map();
  #registrations;
  #owner;

  /**
   * @param {import("./registrations.js").Registrations} registrations
   * @param {Owner} owner
   */
  constructor(registrations, owner) {
    this.#registrations = registrations;
    this.#owner = owner;
  }

  /** @param {number} registration */
  registered(registration) {
    const slot = this.byRegistration.get(registration);
    if (slot?.registration?.number !== registration) return;
    slot.registration.isAccepted = true;
    this.reconcile(slot);
  }

  /** @param {number} registration @param {string} reason */
  rejected(registration, reason) {
    this.#gone(registration, (slot) => slot.reject(reason));
  }

  /** @param {number} registration the browser has dropped it without being asked */
  lost(registration) {
    this.#gone(registration, (slot) => slot.lose());
  }

  /** The page has come back from the back-forward cache, or has a model context now. */
  restored() {
    for (const slot of this.byName.values()) this.reconcile(slot);
  }

  /** @returns {string} JSON text of the tools' states */
  states() {
    return JSON.stringify(
      [...this.byName.values()].map(({ name, state, reason, inFlight, calls }) => ({
        name,
        state,
        ...(reason !== undefined && { reason }),
        inFlight,
        calls,
      })),
    );
  }

  /** @param {string} name of which there may be nothing yet */
  of(name) {
    let slot = this.byName.get(name);
    if (!slot) this.byName.set(name, (slot = new EarlySlot(name)));
    return slot;
  }

  /** @returns {string[]} of those that are to stay */
  names() {
    return [...this.byName.values()]
      .filter(({ state }) => state !== "leaving")
      .map(({ name }) => name)
      .sort();
  }

  /** Tell whoever observes of all of them. */
  tellObserver() {
    for (const slot of this.byName.values()) this.#tellObserverOf(slot);
  }

  /** Forget all of them; nothing happens here afterwards. */
  clear() {
    for (const all of [this.byName, this.byRegistration]) all.clear();
    for (const all of [this.#toLookAt, this.#told]) all.clear();
  }

  /** Bring what is registered towards what is held. @param {EarlySlot} slot */
  reconcile(slot) {
    if (!slot.mustLeave) slot.forgetLeaving();
    else if (this.#mayLeave(slot)) this.#unregister(slot);
    if (!slot.registration && slot.current && slot.reason === undefined) this.#register(slot);
    this.#tell(slot);
  }

  /** When the grace is over; what is left of Python goes together. @param {EarlySlot} slot */
  due(slot) {
    const orphans = [...this.byName.values()].filter(({ isOrphan }) => isOrphan);
    const together = slot.isOrphan ? orphans : [slot];
    return slot.due(Math.max(...together.map(({ settledAt }) => settledAt)));
  }

  /** See in a macrotask what is held of it then. @param {EarlySlot} slot */
  lookSoon(slot) {
    if (this.#toLookAt.size === 0) macrotask(() => this.#look());
    this.#toLookAt.add(slot);
  }

  /** The macrotask, or what cannot wait for it. @param {EarlySlot} slot */
  lookAt(slot) {
    const before = slot.generation;
    slot.look();
    this.#owner.onLook(slot, before);
    this.reconcile(slot);
  }

  /**
   * Whether macrotask, drain and grace are over, on a page that has to do without Python.
   *
   * @param {EarlySlot} slot
   */
  #mayLeave(slot) {
    if (!slot.isLeaving) {
      this.lookSoon(slot);
      return false;
    }
    clearTimeout(slot.timer);
    if (!this.isAlone) this.#owner.onNeed(false);
    if (!this.isAlone || slot.inFlight > 0) return false;
    const missing = this.due(slot) - performance.now();
    if (missing <= 0) return true;
    slot.timer = setTimeout(() => this.reconcile(slot), missing);
    return false;
  }

  /** @param {EarlySlot} slot */
  #register(slot) {
    const hold = slot.current;
    if (!this.#registrations.hasContext || !hold) return;
    const number = this.#registrations.last + 1;
    const text = String(hold.text);
    slot.registration = { number, text, isAccepted: false, hold: hold.number };
    this.byRegistration.set(number, slot);
    this.#registrations.register(number, text);
  }

  /** @param {EarlySlot} slot */
  #unregister(slot) {
    const number = Number(slot.registration?.number);
    slot.registration = undefined;
    slot.forgetLeaving();
    slot.isOrphan = false;
    this.byRegistration.delete(number);
    this.#registrations.unregister(number);
  }

  /**
   * A registration is gone that was not taken back; a late word on an older one changes nothing.
   *
   * @param {number} registration
   * @param {(slot: EarlySlot) => void} note
   */
  #gone(registration, note) {
    const slot = this.byRegistration.get(registration);
    this.byRegistration.delete(registration);
    if (slot?.registration?.number !== registration) return;
    note(slot);
    this.reconcile(slot);
  }

  #look() {
    const slots = [...this.#toLookAt];
    this.#toLookAt.clear();
    for (const slot of slots) this.lookAt(slot);
  }

  /** @param {EarlySlot} slot */
  #tell(slot) {
    const { name, state, reason } = slot;
    const now = `${state} ${reason}`;
    if (this.#told.get(name) !== now) {
      this.#told.set(name, now);
      this.#owner.onState(name, state, reason);
    }
    this.#tellObserverOf(slot);
    const isLeft = slot.holds.size > 0 || slot.registration || slot.inFlight > 0;
    if (!isLeft && !this.#toLookAt.has(slot)) {
      this.byName.delete(name);
      this.#told.delete(name);
    }
  }

  /** @param {EarlySlot} slot */
  #tellObserverOf(slot) {
    const isAlone = this.isAlone;
    this.#owner.onChange(() => slotOf(slot, { isAlone, due: this.due(slot) }));
  }
}
