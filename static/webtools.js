/**
 * The entry that a script tag loads: `<script type="module" src="/webtools/webtools.js" data-app="/shop.py">`.
 *
 * It sets `window.webtools` before anything is waited for, then boots every `script[data-app]` of the page, in
 * document order, in one interpreter. Where there is none, nothing boots until `start({app})`.
 */
import { Host } from "./host.js";
import { readScripts } from "./options.js";

export const webtools = new Host(new URL("./runtime/", import.meta.url).href);

/** The host's state; a live binding. @type {import("./host.js").Status} */
export let status = webtools.status;
webtools.addEventListener("status", () => {
  status = webtools.status;
});

export const { start, tools, call, expose, hold, define, ready } = webtools;

Object.defineProperty(window, "webtools", {
  value: webtools,
  configurable: true,
  enumerable: true,
});
window.dispatchEvent(new Event("webtools")); // react.js may have been there first

const scripts = readScripts(document);
if (scripts.length > 0) webtools.startAll(scripts);
