/** Fetch what a page needs: three times before giving up, and what went wrong is told with its cure. */

/** What went wrong on the way, in one sentence, and how to mend it. */
export class BootError extends Error {
  /** @param {string} message @param {unknown} [cause] */
  constructor(message, cause) {
    super(message, { cause });
    this.name = "BootError";
  }
}

/** Pauses before the second and the third attempt at what the network spoiled. */
const PAUSES_MS = [250, 1000];

export const RUNTIME_CURE =
  'Run "python -m webtools serve", which puts it there, or point data-runtime at it.';

/**
 * Resolve a URL. User and password are left out: `fetch` refuses them, the browser sends those that it has of the
 * page by itself, and no message is to show them.
 *
 * @param {string} url
 * @param {string} [base] default: the page's address
 * @returns {string}
 */
export function absolute(url, base = document.baseURI) {
  const resolved = new URL(url, base);
  resolved.username = resolved.password = "";
  return resolved.href;
}

/**
 * Fetch a whole file.
 *
 * @param {string} url
 * @param {string} cure what to do when it is not there
 * @param {boolean} [hasGzip] whether it lies beside itself as gzip, too, which is fetched from a server that compresses
 *   nothing
 */
export async function fetchFile(url, cure, hasGzip = false) {
  const { response, bytes } = await attempt(url, async () => {
    const response = await fetch(url);
    const smaller = hasGzip && isAsItLies(response) ? await fetchGzip(url, response) : undefined;
    return { response, bytes: smaller ?? (await response.arrayBuffer()) };
  });
  if (!response.ok) {
    throw new BootError(`${url} could not be loaded (HTTP ${response.status}). ${cure}`);
  }
  return { bytes, type: response.headers.get("content-type") ?? "" };
}

/** The smallest module of WebAssembly: a magic number and a version. */
export const EMPTY_WASM = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/**
 * Fetch WebAssembly, compiled while it comes, or as a whole where the server does not know what it is.
 *
 * @param {string} url
 * @param {string} cure what to do when it is not there
 * @returns {Promise<WebAssembly.Module>}
 */
export async function fetchWasm(url, cure) {
  const { response, module, problem } = await attempt(url, async () => {
    const response = await fetch(url);
    return { response, ...(response.ok && (await compiled(response))) };
  });
  if (module) return module;
  const what = response.ok
    ? (problem ?? "is no WebAssembly")
    : `could not be loaded (HTTP ${response.status})`;
  throw new BootError(`${url} ${what}. ${cure}`);
}

/**
 * @param {Response} response
 * @returns {Promise<{module?: WebAssembly.Module, problem?: string}>} rejects where the network has died
 */
async function compiled(response) {
  try {
    if (response.headers.get("content-type") === "application/wasm") {
      return { module: await WebAssembly.compileStreaming(response) };
    }
    const bytes = await response.arrayBuffer();
    const start = new Uint8Array(bytes.slice(0, EMPTY_WASM.length));
    if (EMPTY_WASM.some((byte, index) => start[index] !== byte)) return {};
    return { module: await WebAssembly.compile(bytes) };
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    return { problem: `cannot be compiled (${error.message})` };
  }
}

/** @param {Response} response */
function isAsItLies(response) {
  const canUnpack = typeof DecompressionStream === "function";
  return canUnpack && response.ok && !response.headers.has("content-encoding");
}

/**
 * @param {string} url of the file itself
 * @param {Response} plain the answer that is not read where there is a smaller one
 * @returns {Promise<ArrayBuffer | undefined>}
 */
async function fetchGzip(url, plain) {
  const { ok, body, headers } = await fetch(`${url}.gz`);
  if (!ok || !body) return undefined;
  plain.body?.cancel().catch(() => {});
  // some servers say that it is gzip: then the browser has unpacked it
  const isUnpacked = headers.has("content-encoding");
  return new Response(
    isUnpacked ? body : body.pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
}

/**
 * Refuse what many servers answer for a path that they do not know.
 *
 * @param {string} url
 * @param {string} type the response's
 * @param {string} wanted
 * @param {string} cure
 */
export function refuseHtml(url, type, wanted, cure) {
  if (type.startsWith("text/html")) {
    throw new BootError(`${url} is an HTML page, not ${wanted}. ${cure}`);
  }
}

/** @param {string} url @returns {Promise<any>} */
export function importModule(url) {
  return attempt(url, () => import(url));
}

/**
 * Do something that the network may spoil, twice more if it does.
 *
 * @template T
 * @param {string} what its URL, for the message
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function attempt(what, action) {
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
