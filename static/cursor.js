/**
 * The cursor: while a tool runs, a pointer glides to what the tool works on, says the tool's name and how far it is,
 * and the tool's fields fill. It is for the person in front of the page; it takes no focus and no click, and no call
 * waits for it, but for the fields.
 */
import { fillAtOnce, fillVisibly, taskOf } from "./filling.js";
import { boxInSight, Finder, isDrawn } from "./finding.js";
import { isStill, Pointer, Stage } from "./pointer.js";

/** @typedef {import("./finding.js").Subject} Subject */
/** @typedef {import("./places.js").Target} Target */
/** @typedef {import("./progress.js").Report} Report */

/** How many pointers there are at once: of more calls, the newest have one. */
const MAX_POINTERS = 3;

export class Cursor {
  #finder = new Finder();
  #stage = new Stage();
  /** The pointers that are drawn, and the calls that they show; the oldest first. @type {Map<Pointer, string | undefined>} */
  #pointers = new Map();
  /** What stops the filling of a call. @type {Map<string, AbortController>} */
  #fillings = new Map();

  /**
   * Point at what a call works on; where that is not in the page there is no pointer.
   *
   * @param {string} callId
   * @param {Subject} subject
   * @param {Target} target
   */
  point(callId, subject, target) {
    const first = this.#finder.one(subject, target);
    if (!first) return;
    this.#lead(callId, subject, first, () => this.#finder.one(subject, target));
  }

  /**
   * Fill controls, each with a value; then the pointer goes back to where it was.
   *
   * @param {string} callId
   * @param {Subject} subject
   * @param {[Target, unknown][]} fields
   * @returns {Promise<void> | undefined} nothing to wait for where it is done; never rejects
   */
  fill(callId, subject, fields) {
    const found = fields.map(([control, value]) =>
      taskOf(this.#finder.all(subject, control), value),
    );
    const tasks = found.filter((task) => task !== undefined);
    if (tasks.length === 0) return undefined;
    if (isStill() || document.visibilityState === "hidden") {
      fillAtOnce(tasks);
      return undefined;
    }
    const before = this.#pointerOf(callId)?.aim;
    const controller = new AbortController();
    this.#fillings.set(callId, controller);
    const onNext = (/** @type {Element} */ control) => {
      if (isDrawn(control)) this.#lead(callId, subject, control, () => control);
    };
    return fillVisibly(tasks, controller.signal, onNext).then(() => {
      this.#fillings.delete(callId);
      if (before && !controller.signal.aborted) this.#pointerOf(callId)?.follow(before);
    });
  }

  /** @param {string} callId @param {Report} report */
  report(callId, report) {
    this.#pointerOf(callId)?.report(report);
  }

  /**
   * The call has its answer.
   *
   * @param {string} callId
   * @param {boolean} hasDone whether there was something to be seen
   */
  end(callId, hasDone) {
    this.#fillings.get(callId)?.abort();
    const pointer = this.#pointerOf(callId);
    if (!pointer) return;
    this.#pointers.set(pointer, undefined);
    pointer.leave(hasDone);
  }

  /**
   * @param {string} callId
   * @param {Subject} subject
   * @param {Element} element is there now
   * @param {() => Element | undefined} find it, or what has taken its place
   */
  #lead(callId, { title }, element, find) {
    reveal(element);
    const own = this.#pointerOf(callId);
    if (own) return own.follow(find);
    const pointer =
      this.#takenOver() ?? new Pointer(this.#stage, (gone) => this.#pointers.delete(gone));
    this.#pointers.delete(pointer); // it is the newest
    this.#pointers.set(pointer, callId);
    pointer.show(title, find);
  }

  /** @param {string} callId */
  #pointerOf(callId) {
    return [...this.#pointers].find(([, shown]) => shown === callId)?.[0];
  }

  /** One whose call is over, so that the cursor goes from place to place; else, where there are many, the oldest. */
  #takenOver() {
    const free = [...this.#pointers].findLast(([, shown]) => shown === undefined)?.[0];
    if (free || this.#pointers.size < MAX_POINTERS) return free;
    return [...this.#pointers.keys()][0];
  }
}

/** Scroll to an element that is nowhere in the window, or in what scrolls it. @param {Element} element */
function reveal(element) {
  const box = boxInSight(element);
  if (box && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth)
    return;
  const behavior = isStill() ? "instant" : "smooth";
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior });
}
