/** An app's file: one `.py`, or an archive with the module that is its entry. */
import { BootError, fetchFile, refuseHtml } from "./fetching.js";

/** An app as it was fetched. @typedef {{source: string} | {archive: Uint8Array, entry: string}} App */

const CURE = "Is the path in data-app right? It is resolved against the page's address.";

/**
 * @param {string} url absolute
 * @param {string} [entry] the module of an archive that has the tools; an archive has one
 * @returns {Promise<App>}
 */
export async function fetchApp(url, entry) {
  const { bytes, type } = await fetchFile(url, CURE);
  refuseHtml(url, type, entry === undefined ? "Python" : "an archive", CURE);
  return entry === undefined
    ? { source: sourceIn(url, bytes) }
    : { archive: new Uint8Array(bytes), entry };
}

/** @param {string} url @param {ArrayBuffer} bytes @returns {string} */
function sourceIn(url, bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BootError(`${url} is no UTF-8 text; save it as such.`, error);
  }
}
