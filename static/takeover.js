/** What Python takes over of the page's tools, as `webtools/browser/takeover.py` reads it; and what it leaves when it dies. */
import { keyOf, STALE } from "./early-slot.js";

/** @typedef {import("./early-slot.js").Wish} Wish */

/**
 * @typedef {object} Call
 * @property {import("./early-slot.js").EarlySlot} slot
 * @property {string} key of the hold that it began under
 * @property {number} generation
 */

/**
 * All that a page without Python keeps.
 *
 * @typedef {object} Kept
 * @property {import("./registrations.js").Registrations} registrations
 * @property {Map<number, Wish>} wishes
 * @property {import("./early-slots.js").EarlySlots} slots
 * @property {Map<string, Call>} calls
 * @property {import("./early-calls.js").EarlyCalls} earlyCalls
 * @property {import("./promised.js").Promises} promises
 */

/**
 * Stop what waits for a time, and write everything down.
 *
 * @param {Kept} kept
 * @returns {string} JSON text
 */
export function handedOver(kept) {
  const slots = [...kept.slots.byName.values()].map((slot) => {
    clearTimeout(slot.timer);
    return slot.record();
  });
  const early = kept.earlyCalls.handOver();
  const calls = [...kept.calls].map(([id, { slot, key, generation }]) => ({
    id,
    name: slot.name,
    key,
    generation,
    early: early.get(id),
  }));
  const wishes = [...kept.wishes.values()].map(({ promised, ...wish }) => ({
    ...wish,
    ...(promised && { isPromised: true }),
  }));
  const promised = kept.promises.list();
  const promises = promised.length > 0 && { promised };
  return JSON.stringify({
    attempts: kept.registrations.last,
    ...promises,
    wishes,
    slots,
    calls,
  });
}

/**
 * Go on with what Python leaves: its own tools are orphans.
 *
 * @param {Kept} kept nothing yet
 * @param {Iterable<Wish>} wishes that stand, in their order
 * @param {Iterable<[string, Wish]>} calls those whose handlers run, and the wish that each began under
 */
export function inherit(kept, wishes, calls) {
  for (const { number, name, text } of kept.registrations.list()) {
    const slot = kept.slots.of(name);
    slot.registration = { number, text, isAccepted: true };
    slot.settle(true); // calls that the death has just answered
    slot.isOrphan = true;
    kept.slots.byRegistration.set(number, slot);
  }
  for (const wish of wishes) {
    kept.wishes.set(wish.number, wish);
    if (wish.text === undefined) continue;
    const slot = kept.slots.of(wish.name);
    slot.hold(wish);
    if (slot.registration?.text === wish.text) slot.registration.hold = wish.number;
  }
  for (const slot of kept.slots.byName.values()) slot.seen = slot.current && keyOf(slot.current);
  for (const [callId, wish] of calls) {
    const slot = kept.slots.of(wish.name);
    slot.inFlight += 1;
    slot.isOrphan = false;
    // Python alone knew the generations: without its own hold it may be stale
    const generation = slot.holds.has(wish.number) ? slot.generation : STALE;
    kept.calls.set(callId, { slot, key: keyOf(wish), generation });
  }
}
