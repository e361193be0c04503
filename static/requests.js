/** Python's requests: each a POST of text, whose answer is told in the pieces in which it comes. */

/** What of an answer's head Python is told; another origin has to let the page read the last two. */
const HEADERS = ["content-type", "retry-after", "retry-after-ms"];

/** How each is sent. */
const OPTIONS = /** @type {const} */ ({
  method: "POST",
  redirect: "error", // the headers may have a key in them
  credentials: "omit",
  referrerPolicy: "no-referrer",
  cache: "no-store",
});

export class Requests {
  /** @type {Map<number, AbortController>} */
  #open = new Map();
  #tell;

  /**
   * @param {(number: number, text: string) => void} tell takes JSON text: `{"status", "headers"}` first, then
   *   `{"chunk"}` for each piece of the body, and `{"end": true}`; or `{"error"}`, the name of what went wrong, at any
   *   time
   */
  constructor(tell) {
    this.#tell = tell;
  }

  /**
   * @param {number} number for what is told
   * @param {string} text JSON text of `{"url", "headers", "body"}`
   */
  async send(number, text) {
    const controller = new AbortController();
    this.#open.set(number, controller);
    const tell = (/** @type {object} */ said) => {
      if (this.#open.has(number)) this.#tell(number, JSON.stringify(said));
    };
    try {
      const { url, headers, body } = JSON.parse(text);
      const { signal } = controller;
      const response = await fetch(url, { ...OPTIONS, headers, body, signal });
      tell({ status: response.status, headers: headersOf(response) });
      await read(response, (chunk) => tell({ chunk }));
      tell({ end: true });
    } catch (error) {
      tell({ error: nameOf(error) }); // its text may have the headers in it
    } finally {
      this.#open.delete(number);
    }
  }

  /** Give a request up; nothing more is told of it. @param {number} number */
  abort(number) {
    const controller = this.#open.get(number);
    this.#open.delete(number);
    controller?.abort();
  }

  /** Give all of them up. */
  abortAll() {
    for (const number of [...this.#open.keys()]) this.abort(number);
  }
}

/** @param {Response} response @returns {Record<string, string>} */
function headersOf(response) {
  const found = HEADERS.map((name) => [name, response.headers.get(name)]);
  return Object.fromEntries(found.filter(([, value]) => value !== null));
}

/** @param {Response} response @param {(chunk: string) => void} take */
async function read(response, take) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    const chunk = decoder.decode(value, { stream: !done });
    if (chunk) take(chunk);
    if (done) return;
  }
}

/** @param {unknown} error @returns {string} */
function nameOf(error) {
  return error instanceof Error ? error.name : "Error";
}
