/** The runtime's folder: what is in it, by its index, `runtime.json`. `webtools/cli/runtime/assembling.py` writes it. */
import { BootError, fetchFile, RUNTIME_CURE } from "./fetching.js";

/**
 * A file of the runtime. Its name has a hash of its content, so that it never changes.
 *
 * @typedef {object} RuntimeFile
 * @property {string} file its URL against the index
 * @property {boolean} [gzip] whether it lies beside itself as gzip, too, for servers that compress nothing
 * @property {number} size in bytes
 * @property {string} sha256 in hexadecimal digits
 */

/**
 * @typedef {object} RuntimeIndex
 * @property {string} engine URL against the index of the folder with `pyodide.mjs`, `pyodide.asm.mjs` and
 *   `pyodide.asm.wasm`, ends with "/"
 * @property {Record<string, string>} info what Pyodide's own lock says of its build
 * @property {string} sitePackages where Python has the packages
 * @property {RuntimeFile} stdlib a zip
 * @property {RuntimeFile} [wholeStdlib] where `stdlib` is trimmed
 * @property {RuntimeFile} packages a pack, see `pack.js`
 * @property {RuntimeFile & import("./snapshot.js").About} [snapshot] an interpreter's memory that has all of them imported
 */

/** The folder that a page gets Python from. */
export class Runtime {
  #base;

  /** @param {string} base its URL, ends with "/" @param {RuntimeIndex} index */
  constructor(base, index) {
    this.#base = base;
    this.index = index;
  }

  /** The URL of the folder with Pyodide itself, ends with "/". */
  get engine() {
    return new URL(this.index.engine, this.#base).href;
  }

  /** @param {RuntimeFile} entry @returns {string} */
  urlOf(entry) {
    return new URL(entry.file, this.#base).href;
  }

  /**
   * Fetch one of its files, and refuse other bytes than the index tells of.
   *
   * @param {RuntimeFile} entry
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async fetch(entry) {
    const url = this.urlOf(entry);
    const { bytes } = await fetchFile(url, RUNTIME_CURE, entry.gzip);
    if (!(await isAsTold(bytes, entry))) {
      throw new BootError(
        `${url} is not the file that the runtime's index tells of. ${RUNTIME_CURE}`,
      );
    }
    return new Uint8Array(bytes);
  }
}

/**
 * @param {string} base URL of the runtime's folder, ends with "/"
 * @returns {Promise<Runtime>}
 */
export async function openRuntime(base) {
  const url = `${base}runtime.json`;
  const { bytes } = await fetchFile(url, RUNTIME_CURE);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return new Runtime(base, JSON.parse(text));
  } catch (error) {
    throw new BootError(`${url} is no JSON. ${RUNTIME_CURE}`, error);
  }
}

/**
 * Whether bytes are those that the index tells of. They are looked at beside the page's own work, which `integrity` of
 * `fetch` would hold up; where the browser cannot, on an origin that is not secure, their number has to do.
 *
 * @param {ArrayBuffer} bytes
 * @param {RuntimeFile} entry
 * @returns {Promise<boolean>}
 */
export async function isAsTold(bytes, { size, sha256 }) {
  if (bytes.byteLength !== size) return false;
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}
