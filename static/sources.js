/** An app's file: one `.py`, or an archive with the module that is its entry. */
import { BootError, fetchFile, fetchText } from "./fetching.js";

/** An app as it was fetched. @typedef {{source: string} | {archive: Uint8Array, entry: string}} App */

const CURE = "Is the path in data-app right? It is resolved against the page's address.";

/**
 * @param {string} url absolute
 * @param {string} [entry] the module of an archive that has the tools; an archive has one
 * @returns {Promise<App>}
 */
export async function fetchApp(url, entry) {
  if (entry === undefined) {
    const { text, type } = await fetchText(url, CURE);
    checkType(url, type, "Python");
    return { source: text };
  }
  const { bytes, type } = await fetchFile(url, CURE);
  checkType(url, type, "an archive");
  return { archive: new Uint8Array(bytes), entry };
}

/**
 * Refuse what many servers answer for a path that they do not know.
 *
 * @param {string} url
 * @param {string} type the response's
 * @param {string} wanted
 */
function checkType(url, type, wanted) {
  if (type.startsWith("text/html")) {
    throw new BootError(`${url} is an HTML page, not ${wanted}. ${CURE}`);
  }
}
