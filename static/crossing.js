/**
 * The texts of calls, on their way between JavaScript and Python: UTF-8 in memory that both see, whose size in bytes is
 * what crosses. `webtools/browser/crossing.py` is the other side, and says why.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Crossing {
  /** Python's `Crossing`, once it is there. @type {any} */
  #python;
  /** The proxy of its memory, and the view of that. @type {{proxy: any, view: any} | undefined} */
  #memory;
  #border;

  /** @param {import("./port.js").Port} border */
  constructor(border) {
    this.#border = border;
  }

  /**
   * Start Python's host.
   *
   * @param {any} module `webtools.browser.crossing`
   * @param {boolean} debug
   * @param {string} artifacts
   * @returns {Record<string, any>} the host's functions, as `Border.attach` takes them
   */
  start(module, debug, artifacts) {
    const border = this.#border;
    const settle = (/** @type {string} */ callId, /** @type {number} */ size) =>
      border.settle(callId, this.#read(size));
    const python = module.start(border, settle, debug, artifacts);
    this.#python = python;
    const { host, call, call_named: callNamed } = python;
    const through = {
      call: (
        /** @type {number} */ registration,
        /** @type {string} */ callId,
        /** @type {string} */ text,
      ) => this.#given(call(registration, callId, this.#write(text))),
      call_named: (
        /** @type {string} */ name,
        /** @type {string} */ callId,
        /** @type {string} */ text,
        /** @type {string | undefined} */ facts,
      ) => this.#given(callNamed(name, callId, this.#write(text), facts)),
    };
    return new Proxy(through, {
      get: (_, name) => (name in through ? Reflect.get(through, name) : host[name]),
    });
  }

  /** @param {string} text @returns {number} its size */
  #write(text) {
    const { read, written } = encoder.encodeInto(text, this.#bytes);
    if (read === text.length) return written;
    const data = encoder.encode(text);
    this.#python.grow(data.length);
    this.#renew();
    this.#bytes.set(data);
    return data.length;
  }

  /** @param {number} size @returns {string} */
  #read(size) {
    if (this.#bytes.length < size) this.#renew(); // Python has made a larger one
    return decoder.decode(this.#bytes.subarray(0, size));
  }

  /** @param {number | undefined} given @returns {string | number | undefined} */
  #given(given) {
    if (given === undefined) return undefined;
    return given < 0 ? -given : this.#read(given);
  }

  /** The memory; an array of none, which WebAssembly leaves behind when it grows, is asked for anew. @returns {Uint8Array} */
  get #bytes() {
    if (!this.#memory?.view.data.length) this.#renew();
    return /** @type {{view: any}} */ (this.#memory).view.data;
  }

  /** Let go of the view, and look at what Python has now. */
  #renew() {
    this.#memory?.view.release();
    this.#memory?.proxy.destroy();
    const proxy = this.#python.memory;
    this.#memory = { proxy, view: proxy.getBuffer("u8") };
  }
}
