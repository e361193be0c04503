/**
 * The page's tools while Python is not up. It registers what is held and records what happens, for Python to take
 * over; and where Python is not to come, it lets go of what nobody holds any more. Tools that an app has promised are
 * held, too, and their calls wait.
 *
 * Its slots are those of `webtools/lifecycle/slot.py` as far as this goes; the rules have their source there.
 */
import { changed, hostFailed, leftBefore, notFound, stale } from "./answers.js";
import { EarlyCalls } from "./early-calls.js";
import { GRACE_MS, keyOf, MAX_LEAVING_MS, STALE } from "./early-slot.js";
import { EarlySlots } from "./early-slots.js";
import { Promises } from "./promised.js";
import { handedOver, inherit } from "./takeover.js";

/** @typedef {import("./early-slot.js").EarlySlot} EarlySlot */
/** @typedef {import("./early-slot.js").Wish} Wish */
/** @typedef {import("./takeover.js").Call} Call */

/**
 * What the page without Python asks of its owner.
 *
 * @typedef {object} Owner
 * @property {import("./border.js").Listeners["onState"]} onState
 * @property {import("./border.js").Listeners["onNeed"]} onNeed
 * @property {(callId: string, answer: import("./answers.js").Answer) => void} onAnswer a call is answered that waited
 * @property {() => boolean} isRouteOpen whether the page goes between two routes
 * @property {(slot: () => import("./observed.js").Slot) => void} onChange told after everything that may have changed one
 */

export class Early {
  /** @type {Map<number, Wish>} */
  #wishes = new Map();
  /** @type {Map<string, Call>} */
  #calls = new Map();
  /** Why Python died, or did not come up. @type {string | undefined} */
  #deathReason;
  #promises = new Promises(
    (tool) => this.#take({ ...wished(tool), number: tool.number, name: tool.name }),
    (number) => this.release(number),
  );
  #earlyCalls = new EarlyCalls((callId, answer) => {
    this.countOut(callId);
    this.#owner.onAnswer(callId, answer);
  });
  #registrations;
  #slots;
  #owner;

  /**
   * @param {import("./registrations.js").Registrations} registrations
   * @param {Owner} owner
   */
  constructor(registrations, owner) {
    this.#registrations = registrations;
    this.#owner = owner;
    this.#slots = new EarlySlots(registrations, {
      ...owner,
      onLook: (slot, before) => this.#looked(slot, before),
    });
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
    const promised = text === undefined ? this.#promises.get(name) : undefined;
    this.#take({ number, name, text, resourceId, owner, ...(promised && wished(promised)) });
  }

  /** @param {number} number */
  release(number) {
    const wish = this.#wishes.get(number);
    this.#wishes.delete(number);
    const slot = wish && this.#slots.byName.get(wish.name);
    if (!slot?.release(number)) return;
    this.#slots.lookSoon(slot);
    this.#slots.reconcile(slot);
  }

  /** Release what the old route held: what began under it is stale at once. @param {number} number */
  retire(number) {
    const wish = this.#wishes.get(number);
    const slot = wish && this.#slots.byName.get(wish.name);
    this.release(number);
    if (!slot || wish.text === undefined) return;
    slot.keptUntil = performance.now() + MAX_LEAVING_MS; // the new route may hold it again
    this.#slots.lookAt(slot);
  }

  /** The page has come to the new route. */
  endRoute() {
    for (const slot of this.#slots.byName.values()) {
      if (slot.keptUntil === -Infinity) continue;
      slot.keptUntil = -Infinity;
      this.#slots.reconcile(slot);
    }
    this.#promises.look(true);
  }

  /**
   * Count a call in.
   *
   * @param {number} registration
   * @param {string} callId
   * @param {string} text the input, JSON text
   * @returns {string | number | undefined} the answer, the number of the wish whose handler is to run, or undefined
   *   where the call waits
   */
  call(registration, callId, text) {
    const slot = this.#slots.byRegistration.get(registration);
    if (slot) return this.#begin(slot, callId, text);
    return JSON.stringify(notFound("This tool", this.#slots.names()));
  }

  /**
   * @param {string} name
   * @param {string} callId
   * @param {string} text
   * @param {string} [facts] what the caller states of the call, JSON text
   * @returns {string | number | undefined} as `call`
   */
  callNamed(name, callId, text, facts) {
    const slot = this.#slots.byName.get(name);
    if (slot) return this.#begin(slot, callId, text, facts);
    return JSON.stringify(notFound(`The tool "${name}"`, this.#slots.names()));
  }

  /** The caller of a call that waits gave up. @param {string} callId */
  abort(callId) {
    this.#earlyCalls.abort(callId);
  }

  /** The page is there now. @param {string} pathname @param {string} hash */
  moved(pathname, hash) {
    this.#promises.moved({ pathname, hash });
    this.#promises.look(!this.#owner.isRouteOpen());
  }

  /** @param {string} callId of a call whose handler has run; it is counted out */
  countOut(callId) {
    const call = this.#calls.get(callId);
    if (!call) return;
    this.#calls.delete(callId);
    call.slot.inFlight -= 1;
    call.slot.settle(true);
    this.#slots.reconcile(call.slot);
  }

  /** @param {string} callId @returns {boolean} whether its hold stands, or one that is its equal */
  isCurrent(callId) {
    const call = this.#calls.get(callId);
    return call !== undefined && call.slot.isCurrent(call.key, call.generation);
  }

  /** @param {number} registration */
  registered(registration) {
    this.#slots.registered(registration);
  }

  /** @param {number} registration @param {string} reason */
  rejected(registration, reason) {
    this.#slots.rejected(registration, reason);
  }

  /** @param {number} registration the browser has dropped it without being asked */
  lost(registration) {
    this.#slots.lost(registration);
  }

  /** The page is being left. */
  leave() {
    for (const slot of this.#slots.byName.values()) slot.interrupt();
    this.#earlyCalls.endAll(leftBefore);
  }

  /** The page has come back from the back-forward cache, or has a model context now. */
  restored() {
    this.#slots.restored();
  }

  /** @returns {string} JSON text of the tools' states */
  states() {
    return this.#slots.states();
  }

  /** Somebody observes from now on. @param {boolean} isObserved */
  observe(isObserved) {
    if (isObserved) this.#slots.tellObserver();
  }

  // What only a page without Python has

  /** Whether there is something that only Python can do: a tool that is to leave, or that nobody has promised. */
  get waitsForPython() {
    const isUnknown = [...this.#wishes.values()].some(({ text }) => text === undefined);
    return isUnknown || [...this.#slots.byName.values()].some(({ mustLeave }) => mustLeave);
  }

  /** Whether it has to do without Python: nobody asked for it, or it could not be started. */
  set isAlone(/** @type {boolean} */ isAlone) {
    this.#slots.isAlone = isAlone;
    this.restored();
  }

  /**
   * An app is going to define these tools.
   *
   * @param {string} app its URL
   * @param {import("./promised.js").PromisedTool[]} tools
   */
  promise(app, tools) {
    for (const promised of this.#promises.add(app, tools)) {
      for (const wish of [...this.#wishes.values()]) {
        if (wish.name !== promised.name || wish.text !== undefined) continue;
        this.#wishes.delete(wish.number); // it is a hold from now on, and the newest
        this.#take({ ...wish, ...wished(promised) });
      }
    }
    this.#promises.look(!this.#owner.isRouteOpen());
  }

  /**
   * Python could not be started: what was promised answers why, and goes together.
   *
   * @param {string} reason
   */
  giveUp(reason) {
    this.#deathReason = reason;
    this.#promises.clear();
    for (const wish of [...this.#wishes.values()]) if (wish.promised) this.#breakPromise(wish);
    this.#earlyCalls.endAll(() => hostFailed(reason, "none"));
    this.isAlone = true;
  }

  /**
   * Give everything to Python; nothing happens here afterwards.
   *
   * @returns {string} JSON text, as `webtools.browser.takeover` reads it
   */
  handOver() {
    const text = handedOver(this.#kept);
    this.#promises.clear();
    for (const all of [this.#wishes, this.#slots, this.#calls]) all.clear();
    return text;
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
    inherit(this.#kept, wishes, calls);
    this.isAlone = true;
  }

  /** @returns {import("./takeover.js").Kept} */
  get #kept() {
    return {
      ...{ registrations: this.#registrations, wishes: this.#wishes, slots: this.#slots },
      ...{ calls: this.#calls, earlyCalls: this.#earlyCalls, promises: this.#promises },
    };
  }

  /** @param {Wish} wish */
  #take(wish) {
    this.#wishes.set(wish.number, wish);
    if (wish.text === undefined) return this.#owner.onNeed(false); // Python defines the tool: it will know
    const slot = this.#slots.of(wish.name);
    if (slot.hold(wish)) this.#slots.lookSoon(slot);
    this.#slots.reconcile(slot);
  }

  /** @param {Wish} wish of a promised tool; one of the page's own waits again */
  #breakPromise({ promised, text, ...wish }) {
    const slot = this.#slots.of(wish.name);
    slot.release(wish.number);
    slot.isOrphan = slot.registration !== undefined && slot.current === undefined;
    if (wish.number > 0) this.#wishes.set(wish.number, wish);
    else this.#wishes.delete(wish.number);
  }

  /**
   * @param {EarlySlot} slot
   * @param {string} callId
   * @param {string} text
   * @param {string} [facts]
   * @returns {string | number | undefined} as `call`
   */
  #begin(slot, callId, text, facts) {
    slot.calls += 1;
    const hold = slot.current;
    if (!hold || slot.isOrphan || slot.mustLeave) return this.#refuse(slot);
    slot.inFlight += 1;
    this.#calls.set(callId, { slot, key: keyOf(hold), generation: slot.comingGeneration });
    if (!hold.promised) return hold.number;
    this.#earlyCalls.begin(callId, hold.promised, text, facts);
    this.#owner.onNeed(true);
    return undefined;
  }

  /** @param {EarlySlot} slot @returns {string} the answer; the grace begins anew */
  #refuse(slot) {
    slot.settle(false);
    const answer = JSON.stringify(this.#refusal(slot));
    this.#slots.reconcile(slot);
    return answer;
  }

  /** @param {EarlySlot} slot */
  #refusal(slot) {
    if (slot.isOrphan) return hostFailed(String(this.#deathReason), "none");
    if (!slot.current) return stale(slot.name);
    const isOpen = slot.inFlight > 0 || !this.#slots.isAlone; // nobody knows when it ends
    const missing = isOpen ? GRACE_MS : this.#slots.due(slot) - performance.now();
    return changed(slot.name, Math.ceil(Math.max(0, missing)));
  }

  /** The macrotask has looked at a slot. @param {EarlySlot} slot @param {number} before its generation */
  #looked(slot, before) {
    for (const call of this.#calls.values()) {
      // it began after the change, which is decided now: for its own hold, or for another
      if (call.slot !== slot || call.generation <= before) continue;
      call.generation = call.key === slot.seen ? slot.generation : STALE;
    }
  }
}

/** What makes a wish for a tool one for a promised tool. @param {import("./promised.js").Promised} promised */
function wished(promised) {
  return { text: promised.text, promised };
}
