/**
 * Which tab owns what: one Web Lock for each name, and beside it a number in `localStorage` that grows with each owner.
 *
 * A tab owns while it has the lock, and the stored number is the one that it has stored itself. That is looked at anew
 * each time, since a tab that was frozen while another one took over hears of its loss late.
 */

/** What the lock and the number of a name are called, before the name. */
const PREFIX = "webtools.ownership.";

/** Where a new owner tells the others its number. */
const NEWS = "webtools.ownership";

/** Why a tab does not own, in words that `webtools/calls/ownership.py` knows; else in the browser's own. */
const ELSEWHERE = "elsewhere";
const RELEASED = "released";
const NO_LOCKS = "no locks";
const NO_STORAGE = "no storage";

/**
 * Told what has become of a name: this tab's number, or why it does not own; neither while the browser is being asked.
 *
 * @typedef {(name: string, epoch?: number, reason?: string) => void} Tell
 */

/**
 * What was asked last for a name that this tab wants to own.
 *
 * @typedef {object} Claim
 * @property {AbortController} end aborted when something else is asked: the lock is let go, or waited for no more
 * @property {number} [epoch] while it owns
 * @property {boolean} isGone whether it owned until its number was gone, and no other tab is known to own since
 * @property {Promise<void>} decided settles when the browser has said who owns
 * @property {() => void} decide
 */

export class Ownerships {
  /** By name, from the first wish to the release. @type {Map<string, Claim>} */
  #claims = new Map();
  /** Closed while the page is left: a message drops it from the back-forward cache. @type {BroadcastChannel | undefined} */
  #news;
  #tell;

  /** @param {Tell} tell never called within a function of this object but `leave` */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Want to own: now, or when those before have let it go; harmless twice. @param {string} name */
  ask(name) {
    if (!this.#claims.has(name)) this.#request(name, "ifAvailable");
  }

  /** Own now, whichever tab does. @param {string} name */
  takeOver(name) {
    this.#request(name, "steal");
  }

  /** Let it go, and want it no more; harmless twice. @param {string} name */
  release(name) {
    if (!this.#claims.has(name)) return;
    this.#end(name);
    this.#claims.delete(name);
    if (this.#claims.size === 0) this.#closeNews();
    queueMicrotask(() => this.#tell(name, undefined, RELEASED));
  }

  /** @param {string} name @returns {number | undefined} this tab's number, while it owns */
  epoch(name) {
    const claim = this.#claims.get(name);
    if (claim?.epoch === undefined) return undefined;
    const stored = storedEpoch(name);
    if (stored === claim.epoch) return claim.epoch;
    claim.isGone = !stored;
    this.#lose(name, claim);
    return undefined;
  }

  /** @param {string} name @returns {boolean} whether this tab owned until the number was gone, and waits since */
  isGone(name) {
    return this.#claims.get(name)?.isGone === true;
  }

  /** Settles when the browser has said of everything that is wanted who owns it. */
  async decided() {
    await Promise.all([...this.#claims.values()].map(({ decided }) => decided));
  }

  /** The page is being left, perhaps for the back-forward cache, which keeps no page whose lock others wait for. */
  leave() {
    this.#closeNews();
    for (const name of this.#claims.keys()) {
      this.#end(name);
      this.#claims.set(name, newClaim());
      this.#tell(name);
    }
  }

  /** The page has come back. */
  restore() {
    for (const name of this.#claims.keys()) this.#request(name, "ifAvailable");
  }

  /** Want nothing any more. */
  close() {
    for (const name of [...this.#claims.keys()]) this.release(name);
  }

  /**
   * Ask the browser in this way, instead of what was asked for the name before.
   *
   * @param {string} name
   * @param {"ifAvailable" | "steal" | "queue"} how
   */
  #request(name, how) {
    this.#end(name);
    const claim = newClaim();
    this.#claims.set(name, claim);
    if (!navigator.locks) return queueMicrotask(() => this.#refuse(name, claim, NO_LOCKS));
    this.#openNews();
    const { signal } = claim.end;
    const options = how === "queue" ? { signal } : { [how]: true };
    navigator.locks
      .request(PREFIX + name, options, (lock) => this.#granted(name, claim, lock))
      .catch((error) => {
        if (error?.name === "AbortError") this.#lose(name, claim);
        else this.#refuse(name, claim, String(error));
      });
  }

  /**
   * @param {string} name
   * @param {Claim} claim
   * @param {Lock | null} lock null where another tab has it, and it was not to be waited for
   * @returns {Promise<void> | undefined} settles when the lock is to be let go
   */
  #granted(name, claim, lock) {
    const { signal } = claim.end;
    if (signal.aborted) return undefined;
    if (!lock) {
      this.#queue(name);
      return undefined;
    }
    const epoch = raisedEpoch(name);
    if (epoch === undefined) {
      this.#refuse(name, claim, NO_STORAGE);
      return undefined;
    }
    claim.epoch = epoch;
    claim.isGone = false;
    this.#news?.postMessage({ name, epoch });
    claim.decide();
    /** @type {Promise<void>} */
    const over = new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#tell(name, epoch); // which may let it go
    return over;
  }

  /** Wait for the lock behind those who wait already. @param {string} name */
  #queue(name) {
    this.#request(name, "queue");
    this.#claims.get(name)?.decide();
    this.#tell(name, undefined, ELSEWHERE);
  }

  /** Another tab owns by now: this one waits for its turn. @param {string} name @param {Claim} claim */
  #lose(name, claim) {
    if (claim.end.signal.aborted) return; // it is over for this tab's own sake
    this.#end(name);
    queueMicrotask(() => {
      if (this.#claims.get(name) !== claim) return;
      this.#queue(name);
      /** @type {Claim} */ (this.#claims.get(name)).isGone = claim.isGone;
    });
  }

  /** The browser does not let this tab own. @param {string} name @param {Claim} claim @param {string} reason */
  #refuse(name, claim, reason) {
    if (claim.end.signal.aborted) return;
    claim.isGone = false;
    this.#end(name);
    this.#tell(name, undefined, reason);
  }

  /** Whatever was asked for the name is over. @param {string} name */
  #end(name) {
    const claim = this.#claims.get(name);
    if (!claim) return;
    claim.epoch = undefined;
    claim.end.abort();
    claim.decide();
  }

  #openNews() {
    if (this.#news) return;
    this.#news = new BroadcastChannel(NEWS);
    this.#news.onmessage = ({ data }) => {
      const { name, epoch } = Object(data);
      const claim = this.#claims.get(name);
      if (!claim) return;
      claim.isGone = false;
      if (claim.epoch !== undefined && epoch > claim.epoch) this.#lose(name, claim);
    };
  }

  #closeNews() {
    this.#news?.close();
    this.#news = undefined;
  }
}

/** @returns {Claim} */
function newClaim() {
  /** @type {() => void} */
  let decide = () => {};
  const decided = new Promise((/** @type {(value?: any) => void} */ resolve) => {
    decide = resolve;
  });
  return { end: new AbortController(), isGone: false, decided, decide };
}

/**
 * @param {string} name
 * @returns {number | undefined} 0 where there is none, or what no tab stores; undefined where the storage cannot be read
 */
function storedEpoch(name) {
  try {
    const text = localStorage.getItem(PREFIX + name) ?? "";
    const epoch = Number(text);
    return /^\d+$/.test(text) && Number.isSafeInteger(epoch) ? epoch : 0;
  } catch {
    return undefined;
  }
}

/**
 * Store a new owner's number, which only the tab with the lock may do. It is no smaller than the time in milliseconds:
 * what another process has written a moment ago may not be here yet, and a person may have emptied the storage. What is
 * no number, or the last one that there is, is replaced.
 *
 * @param {string} name
 * @returns {number | undefined} undefined where it cannot be stored
 */
function raisedEpoch(name) {
  const stored = storedEpoch(name);
  if (stored === undefined) return undefined;
  const next = Number.isSafeInteger(stored + 1) ? stored + 1 : 0;
  const epoch = Math.max(next, Date.now());
  try {
    localStorage.setItem(PREFIX + name, String(epoch));
  } catch {
    return undefined;
  }
  return storedEpoch(name) === epoch ? epoch : undefined;
}
