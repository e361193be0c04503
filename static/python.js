/** What JavaScript calls in Python: `webtools.browser.host.Host`. */

/**
 * @typedef {object} Python
 * @property {(text: string) => void} takeOver
 * @property {() => void} keepLog
 * @property {() => void} follow
 * @property {() => void} attachContext
 * @property {(url: string, source: string) => string | undefined} load
 * @property {(url: string, archive: Uint8Array, entry: string) => string | undefined} loadArchive
 * @property {(url: string, version: string) => string | undefined} manifest
 * @property {(url: string, reason: string) => void} giveUp
 * @property {(number: number, name: string, text?: string, resourceId?: string, owner?: number) => void} hold
 * @property {(number: number) => void} release
 * @property {() => void} beginRoute
 * @property {(number: number) => void} retire
 * @property {() => void} endRoute
 * @property {(pathname: string, hash: string) => void} moved
 * @property {(registration: number, callId: string, text: string) => string | number | undefined} call
 * @property {(name: string, callId: string, text: string, facts?: string) => string | number | undefined} callNamed
 * @property {(callId: string) => void} countOut
 * @property {(callId: string) => boolean | undefined} isCurrent
 * @property {(callId: string) => void} abort
 * @property {(registration: number) => void} registered
 * @property {(registration: number, reason: string) => void} rejected
 * @property {(registration: number) => void} lost
 * @property {(isKept: boolean) => void} leave
 * @property {() => void} restored
 * @property {(timer: number) => void} timer
 * @property {(call: number, answer: string) => void} pageAnswered
 * @property {(request: number, text: string) => void} fetched
 * @property {(question: number, outcome: string) => void} confirmed
 * @property {(name: string, epoch?: number, reason?: string) => void} ownership
 * @property {(reading: number, ref: string) => void} readArtifact
 * @property {import("./endings.js").End} end
 * @property {(isProvided: boolean) => void} provide
 * @property {(number: number, outcome: string) => void} provided
 * @property {() => string | undefined} states
 * @property {(isObserved: boolean) => void} observe
 */

/** Their names in Python. @type {Record<keyof Python, string>} */
const NAMES = {
  takeOver: "take_over",
  keepLog: "keep_log",
  follow: "follow",
  attachContext: "attach_context",
  load: "load",
  loadArchive: "load_archive",
  manifest: "manifest",
  giveUp: "give_up",
  hold: "hold",
  release: "release",
  beginRoute: "begin_route",
  retire: "retire",
  endRoute: "end_route",
  moved: "moved",
  call: "call",
  callNamed: "call_named",
  countOut: "count_out",
  isCurrent: "is_current",
  abort: "abort",
  registered: "registered",
  rejected: "rejected",
  lost: "lost",
  leave: "leave",
  restored: "restored",
  timer: "timer",
  pageAnswered: "page_answered",
  fetched: "fetched",
  confirmed: "confirmed",
  ownership: "ownership",
  readArtifact: "read_artifact",
  end: "end",
  provide: "provide",
  provided: "provided",
  states: "states",
  observe: "observe",
};

/**
 * Take each function of the host once: asking its proxy anew would make a proxy a call. None of them throws unless
 * Python is dead: then its result is undefined.
 *
 * @param {Record<string, any>} host
 * @param {(error: unknown) => void} onThrow
 * @returns {Python}
 */
export function functionsOf(host, onThrow) {
  const guarded = Object.entries(NAMES).map(([ours, theirs]) => {
    const real = host[theirs];
    const guard = (/** @type {any[]} */ ...args) => {
      try {
        return real(...args);
      } catch (error) {
        onThrow(error);
        return undefined;
      }
    };
    return [ours, guard];
  });
  return /** @type {Python} */ (Object.fromEntries(guarded));
}
