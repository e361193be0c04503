/**
 * Bring Python up: the runtime's Pyodide, the wheels that its lock names, and `webtools`.
 *
 * Everything comes from the runtime's folder; nothing is asked of another host.
 */
import { withLimit } from "./limit.js";

/** What went wrong on the way, in one sentence, and how to mend it. */
export class BootError extends Error {
  /** @param {string} message @param {unknown} [cause] */
  constructor(message, cause) {
    super(message, { cause });
    this.name = "BootError";
  }
}

/** The smallest module there is: a magic number and a version. */
const EMPTY_WASM = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Pauses before the second and the third attempt at what the network spoiled. */
const PAUSES_MS = [250, 1000];

/**
 * @param {string} runtime base URL of the runtime, ends with "/"
 * @returns {Promise<any>} Pyodide, with `webtools` installed
 */
export async function bootPython(runtime) {
  checkWebAssembly();
  const [{ loadPyodide }, { default: createPyodideModule }, lock] = await Promise.all([
    importModule(`${runtime}pyodide.mjs`),
    importModule(`${runtime}pyodide.asm.mjs`),
    fetchText(`${runtime}pyodide-lock.json`, RUNTIME_CURE),
    ...SILENT.map((name) => fetchFile(runtime + name, RUNTIME_CURE)),
  ]);
  const options = { indexURL: runtime, packageBaseUrl: runtime, lockFileContents: lock.text };
  const starting = loadPyodide({ ...options, createPyodideModule });
  const pyodide = await withLimit(starting, START_LIMIT_MS, notStarted);
  await loadWheels(pyodide, JSON.parse(lock.text).packages);
  return pyodide;
}

/**
 * What Pyodide fetches itself, and waits for without end when that fails. So each is fetched here first, and Pyodide
 * finds it in the browser's cache.
 */
const SILENT = ["pyodide.asm.wasm", "python_stdlib.zip"];

/** How long Python may take to start once all its files are there. */
const START_LIMIT_MS = 60_000;

/** @returns {never} */
function notStarted() {
  const seconds = START_LIMIT_MS / 1000;
  throw new BootError(
    `Python did not start within ${seconds} s. Check the network, then reload the page.`,
  );
}

/** @param {string} url @returns {Promise<any>} */
function importModule(url) {
  return attempt(url, () => import(url));
}

export const RUNTIME_CURE =
  'Run "python -m webtools serve", which puts it there, or point data-runtime at it.';

/**
 * Fetch a whole file of text, as `fetchFile` does.
 *
 * @param {string} url
 * @param {string} cure what to do when it is not there
 */
export async function fetchText(url, cure) {
  const { bytes, type } = await fetchFile(url, cure);
  return { text: new TextDecoder().decode(bytes), type };
}

/**
 * Fetch a whole file, three times before giving up.
 *
 * @param {string} url
 * @param {string} cure what to do when it is not there
 */
export async function fetchFile(url, cure) {
  const { response, bytes } = await attempt(url, async () => {
    const response = await fetch(url);
    return { response, bytes: await response.arrayBuffer() };
  });
  if (!response.ok) {
    throw new BootError(`${url} could not be loaded (HTTP ${response.status}). ${cure}`);
  }
  return { bytes, type: response.headers.get("content-type") ?? "" };
}

function checkWebAssembly() {
  try {
    new WebAssembly.Module(EMPTY_WASM);
  } catch (error) {
    const missing = typeof WebAssembly === "undefined";
    throw new BootError(
      missing
        ? "This browser has no WebAssembly, which Python needs."
        : "The page's Content-Security-Policy blocks WebAssembly, which Python needs. " +
            "Add 'wasm-unsafe-eval' to script-src.",
      error,
    );
  }
}

/**
 * Do something that the network may spoil, twice more if it does.
 *
 * @template T
 * @param {string} what its URL, for the message
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function attempt(what, action) {
  for (const pause of PAUSES_MS) {
    try {
      return await action();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return action().catch((error) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new BootError(
      `${what} could not be loaded (${why}). Check the network and that the file is served, then reload the page.`,
      error,
    );
  });
}

/**
 * Install the lock's wheels. Pyodide only tells of one that it could not get, so what is missing is asked for again.
 *
 * @param {any} pyodide
 * @param {Record<string, {name: string, file_name: string}>} packages the lock's
 */
async function loadWheels(pyodide, packages) {
  /** @type {string[]} */
  const problems = [];
  const options = {
    messageCallback: () => {},
    errorCallback: (/** @type {string} */ problem) => problems.push(problem),
  };
  const missing = () =>
    Object.values(packages).filter(({ name }) => !(name in pyodide.loadedPackages));
  for (let left = PAUSES_MS.length; left >= 0 && missing().length > 0; left -= 1) {
    const names = missing().map(({ name }) => name);
    await pyodide.loadPackage(names, options).catch((/** @type {unknown} */ error) => {
      problems.push(String(error));
    });
  }
  if (missing().length > 0) {
    const files = missing().map((each) => each.file_name);
    throw new BootError(
      `${files.join(", ")} of the runtime could not be installed (${problems.at(-1)}). ${RUNTIME_CURE}`,
    );
  }
}
