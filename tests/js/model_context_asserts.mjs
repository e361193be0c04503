/** What the checks of a model context ask with; they run in pages, where Node's assertions are not. */

/** @param {unknown} actual @param {unknown} expected the very same */
export function equal(actual, expected) {
  if (!Object.is(actual, expected))
    throw new Error(`expected ${show(expected)}, got ${show(actual)}`);
}

/** @param {unknown} actual @param {unknown} expected the same as JSON, `undefined` told apart, members in any order */
export function same(actual, expected) {
  const texts = [canonical(expected), canonical(actual)];
  if (texts[0] !== texts[1]) throw new Error(`expected ${texts[0]}, got ${texts[1]}`);
}

/** @param {() => unknown} action @param {ErrorConstructor} type */
export function throws(action, type) {
  try {
    action();
  } catch (error) {
    if (error instanceof type) return;
    throw error;
  }
  throw new Error(`expected a ${type.name}, got none of ${action}`);
}

/** @param {Promise<unknown>} promise @param {string} name of the error @param {unknown} [what] was tried */
export async function rejects(promise, name, what = "") {
  const { rejected, answered } = await outcomeOf(promise);
  const got = rejected?.name ?? `the answer ${show(answered)}`;
  if (got !== name) throw new Error(`expected ${name} for ${show(what)}, got ${got}`);
}

/** @param {Promise<unknown>} promise @returns {Promise<{answered?: unknown, rejected?: any}>} */
export function outcomeOf(promise) {
  // A promise of this page: Firefox goes on with none of a frame that was removed.
  return new Promise((resolve) => {
    promise.then(
      (answered) => resolve({ answered }),
      (rejected) => resolve({ rejected }),
    );
  });
}

/** @type {(() => void)[]} */
const releases = [];

/** @param {() => void} release takes away what a check would leave behind if it hung; may run twice */
export function releaseLater(release) {
  releases.push(release);
}

/** Takes away what a check that failed left behind. */
export function releaseAll() {
  for (const release of releases.splice(0)) release();
}

/**
 * A tool, registered until it is released.
 *
 * @param {any} context
 * @param {any} tool
 * @param {object} [options]
 * @returns {Promise<{handle: any, release: () => void}>} as it is listed, and what unregisters it
 */
export async function toolOf(context, tool, options) {
  const controller = new AbortController();
  await context.registerTool(tool, { ...options, signal: controller.signal });
  releaseLater(() => controller.abort());
  const tools = await context.getTools();
  const handle = tools.find((/** @type {any} */ { name }) => name === `${tool.name}`);
  return { handle, release: () => controller.abort() };
}

/** @param {unknown} value */
function show(value) {
  return typeof value === "object" ? canonical(value) : String(value);
}

/** JSON text with sorted keys. @param {unknown} value */
function canonical(value) {
  return JSON.stringify(value, (_key, part) => {
    if (part === undefined) return "(undefined)";
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    if (part.window === part) return "(window)";
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
