/**
 * The entry that a script tag loads: `<script type="module" src="/webtools/webtools.js" data-app="/shop.py">`.
 *
 * It sets `window.webtools` before anything is waited for, then boots every `script[data-app]` of the page, in
 * document order, in one interpreter. Where there is none, nothing boots until `start({app})`.
 *
 * A page has one host. Another copy of this file, of the same version, hands its scripts to the first one and exports
 * that; a copy of another version leaves the page as it is, and says so.
 */
import { absolute } from "./fetching.js";
import { Host } from "./host.js";
import { cursorOf, polyfillOf } from "./options.js";
import { VERSION } from "./version.js";

const runtime = absolute("./runtime/", import.meta.url);
const first = /** @type {{webtools?: unknown}} */ (window).webtools;
// an element with this id would be found, too
const isAnother = first instanceof EventTarget && "hold" in first && "version" in first;

/** @type {Host} */
export const webtools = isAnother
  ? /** @type {Host} */ (first)
  : new Host({
      ...{ runtime, version: VERSION },
      ...{ polyfill: polyfillOf(document), cursor: cursorOf(document) },
    });

/** The host's state; a live binding. @type {import("./host.js").Status} */
export let status = webtools.status;
webtools.addEventListener("status", () => {
  status = webtools.status;
});

export const {
  start,
  attach,
  tools,
  apps,
  call,
  expose,
  hold,
  define,
  formTool,
  formAnswer,
  navigate,
  settled,
  confirmWith,
  credentialsWith,
  endRun,
  endSession,
  openArtifact,
  inspect,
  ready,
  interrupted,
} = webtools;

if (!isAnother) {
  Object.defineProperty(window, "webtools", {
    value: webtools,
    configurable: true,
    enumerable: true,
  });
  window.dispatchEvent(new Event("webtools")); // react.js may have been there first
}
if (webtools.version === VERSION) {
  webtools.startScripts(document, runtime);
} else {
  console.error(
    `webtools: this page has webtools ${webtools.version} already, so version ${VERSION} does nothing. ` +
      "Load one version only.",
  );
}
