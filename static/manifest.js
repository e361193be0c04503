/** An app's manifest: what its tools are, as `webtools manifest` or an earlier visit has written it down. */
import { isTooDeep, NAME } from "./definitions.js";
import { describe } from "./wire.js";

/** @typedef {import("./promised.js").PromisedTool} PromisedTool */

/** Of a manifest; what is longer is no list of tools that an agent could use. */
export const MAX_CHARS = 500_000;

/** Of a definition; far more would overflow Python's stack. */
const MAX_DEPTH = 200;

/** A manifest cannot be used; the text says why, as the end of a sentence. */
export class ManifestError extends Error {}

/**
 * Fetch the manifest that a page names. One that cannot be used is told in the console, and that is all.
 *
 * @param {string} url
 * @param {string} version the library's
 * @returns {Promise<PromisedTool[] | undefined>} never rejects
 */
export async function fetchManifest(url, version) {
  try {
    return readManifest(await fetchText(url), version);
  } catch (error) {
    const why = error instanceof ManifestError ? error.message : describe(error);
    console.warn(
      `webtools: the manifest ${url} is not used: ${why}. ` +
        'Write it with "python -m webtools manifest APP -o FILE".',
    );
    return undefined;
  }
}

/** @param {string} url */
async function fetchText(url) {
  const response = await fetch(url);
  if (!response.ok) throw new ManifestError(`it could not be loaded (HTTP ${response.status})`);
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    throw new ManifestError("it is an HTML page");
  }
  return response.text();
}

/**
 * Read a manifest, `{"webtools": version, "app": SHA-256 of the source, "tools": […]}`.
 *
 * @param {string} text
 * @param {string} version the library's, which must have written it
 * @returns {PromisedTool[]}
 * @throws {ManifestError}
 */
export function readManifest(text, version) {
  if (text.length > MAX_CHARS) {
    throw new ManifestError(`it has more than ${MAX_CHARS} characters`);
  }
  const { webtools, tools } = objectOf(text, "it");
  if (webtools !== version) {
    throw new ManifestError(
      `it was written by webtools ${JSON.stringify(webtools)}, and the page has ${version}`,
    );
  }
  if (!Array.isArray(tools)) throw new ManifestError("it has no list of tools");
  const read = tools.map((tool, index) => readTool(tool, `tools[${index}]`));
  const names = read.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ManifestError(`it has two tools called "${twice}"`);
  return read;
}

/**
 * @param {unknown} tool
 * @param {string} where
 * @returns {PromisedTool}
 */
function readTool(tool, where) {
  const { definition: text, held, match, timeout } = Object(tool);
  if (typeof text !== "string") throw new ManifestError(`${where} has no definition`);
  const definition = objectOf(text, `${where}.definition`);
  const { name, description } = definition;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new ManifestError(`${where} has no name that a browser takes`);
  }
  if (typeof description !== "string" || !description) {
    throw new ManifestError(`${where} has no description`);
  }
  if (isTooDeep(definition, MAX_DEPTH)) throw new ManifestError(`${where} is nested too deeply`);
  if (typeof held !== "boolean") throw new ManifestError(`${where}.held is not true or false`);
  if (!Array.isArray(match) || match.some((pattern) => typeof pattern !== "string")) {
    throw new ManifestError(`${where}.match is no list of patterns`);
  }
  if (!Number.isFinite(timeout) || timeout <= 0) {
    throw new ManifestError(`${where}.timeout is no time in seconds`);
  }
  return { name, text, held, match, timeout };
}

/**
 * @param {string} text
 * @param {string} what
 * @returns {Record<string, unknown>}
 */
function objectOf(text, what) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ManifestError(`${what} is no JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ManifestError(`${what} is no JSON object`);
  }
  return value;
}
