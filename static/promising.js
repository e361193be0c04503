/** What an app is going to define, as its manifest says or an earlier visit has shown: promised before Python is up. */
import { absolute } from "./fetching.js";
import { withLimit } from "./limit.js";
import { fetchManifest } from "./manifest.js";
import { nameOf, recall } from "./remembered.js";

/** @typedef {import("./options.js").StartOptions} StartOptions */

/**
 * @typedef {object} Page
 * @property {import("./border.js").Border} border
 * @property {string} version the library's
 * @property {import("./context.js").PageContext} context
 * @property {import("./interpreter.js").Interpreter} interpreter
 * @property {() => void} onNeed told where only Python can tell what the app defines
 */

/** How long Python waits for a manifest, so that its tools are there first. */
const MANIFEST_MS = 2_000;

/**
 * Register what an app is going to define, where that is known.
 *
 * @param {StartOptions} options
 * @param {Page} page
 * @returns {Promise<void>} settles when Python may be fetched; never rejects
 */
export async function promise(options, page) {
  if (!page.interpreter.mayCome) return;
  page.border.expectPython();
  const { manifest } = options;
  if (manifest === undefined) return promiseTools(options, page);
  const fetched = fetchManifest(absolute(manifest), page.version);
  const promised = fetched.then((tools) => promiseTools(options, page, tools));
  await withLimit(promised, MANIFEST_MS, () => {});
}

/**
 * @param {StartOptions} options
 * @param {Page} page
 * @param {import("./promised.js").PromisedTool[]} [given] default: what is remembered
 */
function promiseTools(options, { border, version, context, interpreter, onNeed }, given) {
  const { app, polyfill } = options;
  const tools = given ?? recall(nameOf(absolute(app), options), version);
  if (tools && interpreter.mayCome) {
    interpreter.watchPlace();
    border.promise(absolute(app), tools);
    context.find(polyfill).catch(() => {}); // Python's start will tell
  }
  // no call can come of a tool that is not there
  if (!tools?.length || border.waitsForPython) onNeed();
}
