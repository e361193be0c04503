/**
 * The artifacts of the page's origin in IndexedDB: one database, for each scope an index (a text of Python's) and the
 * payloads by ref; the scopes' number is bounded. What is committed together is there together, or not at all, whatever other tabs do meanwhile.
 *
 * Which artifact is whose, and when one goes, is Python's to say (webtools/stores/artifact_shelf.py).
 */
import { callExposed } from "./exposed.js";

const DATABASE = "webtools.artifacts";

const INDEXES = "indexes";
const PAYLOADS = "payloads";

/** Where the order of the scopes' last commits is, the oldest first; no scope has this key, for they are texts. */
const ORDER = ["order"];

/** What went wrong, in words that are fit for an agent. */
const WORDS = /** @type {Record<string, string>} */ ({
  QuotaExceededError: "the browser has no room left for this page",
  SecurityError: "the browser lets this page store nothing",
  VersionError: "another tab has a newer version of webtools",
  NotFoundError: `the database "${DATABASE}" is not as webtools makes it; the page can delete it`,
  AbortError: "the browser has given the write up",
  TransactionInactiveError: "the browser has given the write up",
});

const GIVEN_UP = { name: "AbortError" };

/** @type {Promise<IDBDatabase> | undefined} */
let opening;

/** @type {import("./exposed.js").Exposed} */
const VERBS = new Map([["artifacts", { commit, readIndex, readPayload }]]);

/**
 * Do what Python asks of the storage.
 *
 * @param {string} verb
 * @param {string} text JSON text of the list of arguments
 * @returns {Promise<string>} as `callExposed`
 */
export async function callStorage(verb, text) {
  return callExposed(VERBS, "artifacts", verb, text);
}

/**
 * @param {string} scope
 * @returns {Promise<string | null>} the scope's index
 */
export function readIndex(scope) {
  return inTransaction("readonly", (transaction, give) => {
    const request = transaction.objectStore(INDEXES).get(scope);
    request.onsuccess = () => give(textOf(request));
  });
}

/**
 * @param {string} scope
 * @param {string} ref
 * @returns {Promise<string | null>} the payload, as it was committed
 */
export function readPayload(scope, ref) {
  return inTransaction("readonly", (transaction, give) => {
    const request = transaction.objectStore(PAYLOADS).get([scope, ref]);
    request.onsuccess = () => give(textOf(request));
  });
}

/**
 * Replace a scope's index, add a payload and drop others.
 *
 * @param {string} scope
 * @param {string | null} before the index that the caller has read
 * @param {string} after
 * @param {[ref: string, payload: string] | null} put
 * @param {string[]} drop refs
 * @param {number} maxScopes above it those go whose last commits are the oldest
 * @returns {Promise<string[] | null>} the indexes of the scopes that went; null, and nothing has changed, where the index
 *   is not `before` any more
 */
export function commit(scope, before, after, put, drop, maxScopes) {
  return inTransaction("readwrite", (transaction, give, guarded) => {
    const indexes = transaction.objectStore(INDEXES);
    const payloads = transaction.objectStore(PAYLOADS);
    const request = indexes.get(scope);
    request.onsuccess = guarded(() => {
      if (textOf(request) !== before) return give(null);
      indexes.put(after, scope);
      if (put) payloads.put(put[1], [scope, put[0]]);
      for (const ref of drop) payloads.delete([scope, ref]);
      const gone = /** @type {string[]} */ ([]);
      give(gone);
      useScope(transaction, scope, maxScopes, (index) => gone.push(index), guarded);
    });
  });
}

/**
 * Note that a scope has been used, and let those go that are too many.
 *
 * @param {IDBTransaction} transaction
 * @param {string} scope
 * @param {number} maxScopes
 * @param {(index: string) => void} onGone
 * @param {(action: () => void) => () => void} guarded
 */
function useScope(transaction, scope, maxScopes, onGone, guarded) {
  const indexes = transaction.objectStore(INDEXES);
  const noted = indexes.get(ORDER);
  const present = indexes.getAllKeys(IDBKeyRange.bound("", [], false, true)); // texts
  present.onsuccess = guarded(() => {
    const before = Array.isArray(noted.result) ? noted.result : [];
    const rank = (/** @type {IDBValidKey} */ each) => before.indexOf(each);
    const others = present.result.filter((each) => each !== scope);
    const order = [...others.sort((one, other) => rank(one) - rank(other)), scope];
    for (const cold of order.splice(0, Math.max(0, order.length - maxScopes))) {
      const last = indexes.get(cold);
      last.onsuccess = () => onGone(textOf(last) ?? "");
      indexes.delete(cold);
      transaction.objectStore(PAYLOADS).delete(IDBKeyRange.bound([cold], [cold, []]));
    }
    const isSame =
      order.length === before.length && order.every((each, place) => each === before[place]);
    if (!isSame) indexes.put(order, ORDER);
  });
}

/** @param {IDBRequest} request @returns {string | null} null where there is none, or something that is none of ours */
function textOf({ result }) {
  return typeof result === "string" ? result : null;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(transaction: IDBTransaction, give: (value: T) => void, guarded: (action: () => void) => () => void) => void} work
 *   makes the first requests, and gives the result; what a guarded callback throws spoils the transaction
 * @returns {Promise<T>} resolves when the transaction is complete; rejects with an Error whose text says why it is not
 */
async function inTransaction(mode, work) {
  try {
    return await attempt(mode, work);
  } catch (error) {
    // the connection was closed under us: by the browser, or since another tab deletes the database
    if (/** @type {any} */ (error)?.name !== "InvalidStateError") throw explained(error);
    opening = undefined;
    return attempt(mode, work).catch((second) => {
      throw explained(second);
    });
  }
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {Parameters<typeof inTransaction<T>>[1]} work
 * @returns {Promise<T>}
 */
async function attempt(mode, work) {
  const database = await (opening ??= open());
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([INDEXES, PAYLOADS], mode);
    /** @type {T} */
    let given;
    /** @type {unknown} */
    let thrown;
    const guarded = (/** @type {() => void} */ action) => () => {
      try {
        action();
      } catch (error) {
        thrown = error;
        abort(transaction);
      }
    };
    transaction.oncomplete = () => resolve(given);
    transaction.onabort = () => reject(transaction.error ?? thrown ?? GIVEN_UP);
    const give = (/** @type {T} */ value) => {
      given = value;
    };
    guarded(() => work(transaction, give, guarded))();
  });
}

/** @param {IDBTransaction} transaction */
function abort(transaction) {
  try {
    transaction.abort();
  } catch {
    // the browser has done it already
  }
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  const promise = new Promise((/** @type {(database: IDBDatabase) => void} */ resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(INDEXES);
      request.result.createObjectStore(PAYLOADS);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      const close = () => {
        database.close();
        if (opening === promise) opening = undefined; // the next use opens anew
      };
      database.onversionchange = close; // another tab deletes or upgrades it: we are not in its way
      database.onclose = close;
      resolve(database);
    };
  });
  promise.catch(() => {
    if (opening === promise) opening = undefined;
  });
  return promise;
}

/** @param {unknown} error @returns {Error} */
function explained(error) {
  const { name } = /** @type {{name?: string}} */ (Object(error));
  const words = WORDS[String(name)] ?? "the browser's storage does not work";
  return new Error(`${words} (${name ?? typeof error})`, { cause: error });
}
