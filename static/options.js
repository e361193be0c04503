/** What a script tag says, by its `data-…` attributes. */

import { knownOptions } from "./known.js";

/** @typedef {import("./context.js").PolyfillMode} PolyfillMode */
/** @typedef {import("./boot.js").SnapshotMode} SnapshotMode */
/** @typedef {import("./pointing.js").CursorMode} CursorMode */
/** @typedef {"memory" | "indexeddb" | "off"} ArtifactsMode */
/** @typedef {"eager" | "idle" | "call" | "attach"} BootMode */
/** @typedef {import("./inspecting.js").InspectorMode} InspectorMode */

/**
 * What the first start, or `attach`, says of Python.
 *
 * @typedef {Pick<StartOptions, "runtime" | "polyfill" | "artifacts" | "cursor" | "inspector" | "debug">} PythonOptions
 */

/** Options of `attach`, as `start` has them. @typedef {PythonOptions} AttachOptions */

/**
 * Options of `start`, named as the script tag's attributes are.
 *
 * @typedef {object} StartOptions
 * @property {string} app URL of a `.py` file, or of an archive, `.zip` or `.whl`, against the page's address.
 * @property {string} [entry] Of an archive: the module whose tools the app has, such as `shop.tools`.
 * @property {string} [packages] Requirements with spaces between them, installed before the app is loaded: names of the
 *   page's own index, or URLs of wheels.
 * @property {string} [manifest] URL of the app's manifest, against the page's address; its tools are registered before
 *   Python is fetched.
 * @property {BootMode} [boot] When Python is fetched: at once (`eager`), when the page is idle (`idle`), or when something
 *   needs it (`call`). It comes as soon as one of the starts wants it. Or not at all: the app waits for the page's own
 *   (`attach`).
 * @property {string} [runtime] Base URL of the runtime; default: `runtime/` beside `webtools.js`. First start only.
 * @property {SnapshotMode} [snapshot] Whether Python may be restored from a snapshot where that is quicker (`auto`), or is
 *   started from its files always (`off`). First start only.
 * @property {PolyfillMode} [polyfill] Whether a model context is put where the browser has none
 *   (`auto`), even over a native one (`force`), or never (`off`). First start only.
 * @property {ArtifactsMode} [artifacts] Where tools keep artifacts: `memory`, until the page is left (default), or
 *   `indexeddb`, the browser's storage; `off`: nowhere. First start only.
 * @property {CursorMode} [cursor] Whether a pointer shows the person where tools work, and their fields fill (`auto`), or
 *   nothing of that (`off`). First start only.
 * @property {InspectorMode} [inspector] Whether the inspector is shown at once (`open`), or when the person presses
 *   Ctrl+Shift+F (`key`). Default: neither, and nothing of it is loaded.
 * @property {boolean} [debug] Whether the text of an unexpected exception reaches the agent, too. First start only.
 */

/**
 * @param {Document} doc
 * @returns {[HTMLScriptElement, StartOptions][]} one for each `script[data-app]`, in document order
 */
export function readScripts(doc) {
  const scripts = /** @type {NodeListOf<HTMLScriptElement>} */ (
    doc.querySelectorAll("script[data-app]")
  );
  return [...scripts].map((script) => {
    const { app, entry, packages, manifest, boot, runtime, debug } = script.dataset;
    const { snapshot, polyfill, artifacts, cursor } = script.dataset;
    const options = {
      app: String(app),
      entry,
      packages,
      manifest,
      boot: /** @type {BootMode | undefined} */ (wordOf(boot)),
      runtime,
      snapshot: /** @type {SnapshotMode | undefined} */ (wordOf(snapshot)),
      polyfill: /** @type {PolyfillMode | undefined} */ (wordOf(polyfill)),
      artifacts: /** @type {ArtifactsMode | undefined} */ (wordOf(artifacts)),
      cursor: /** @type {CursorMode | undefined} */ (wordOf(cursor)),
    };
    return [script, { ...options, debug: debug !== undefined }];
  });
}

/** @param {Document} doc @returns {PolyfillMode | undefined} what the first script says that says something */
export function polyfillOf(doc) {
  return /** @type {PolyfillMode | undefined} */ (firstSaid(doc, "polyfill"));
}

/** @param {Document} doc @returns {CursorMode | undefined} the same */
export function cursorOf(doc) {
  return /** @type {CursorMode | undefined} */ (firstSaid(doc, "cursor"));
}

/** @param {Document} doc @param {string} name @returns {string | undefined} */
function firstSaid(doc, name) {
  const script = /** @type {HTMLScriptElement | null} */ (
    doc.querySelector(`script[data-${name}]`)
  );
  return wordOf(script?.dataset[name]);
}

/**
 * @param {Document} doc
 * @returns {InspectorMode | undefined} what the first script says that says something, with an app or without
 */
export function inspectorOf(doc) {
  return /** @type {InspectorMode | undefined} */ (firstSaid(doc, "inspector"));
}

/** As HTML reads the words of attributes; a wrong one is refused by `checkOptions`. @param {string} [text] */
function wordOf(text) {
  return text?.toLowerCase();
}

/**
 * @template {object} T
 * @param {string} where
 * @param {T | undefined} options
 * @param {string[]} names
 * @returns {T}
 */
function known(where, options, names) {
  try {
    return knownOptions(where, options, names);
  } catch (error) {
    throw new OptionError(/** @type {Error} */ (error).message);
  }
}

/** The names of `PythonOptions`. */
const OF_PYTHON = ["runtime", "polyfill", "artifacts", "cursor", "inspector", "debug"];

/**
 * Refuse options that mean nothing, before anything is started.
 *
 * @param {StartOptions} options
 */
export function checkOptions(options) {
  const names = ["app", "entry", "packages", "manifest", "boot", "snapshot", ...OF_PYTHON];
  const {
    app,
    entry,
    packages = "",
    manifest = "",
    ...others
  } = known("webtools.start", options, names);
  const { boot = "eager", snapshot = "auto" } = others;
  if (typeof app !== "string" || !app.trim()) {
    throw new OptionError(
      'There is no app. Name a .py file: data-app="/shop.py", or start({app: "/shop.py"}).',
    );
  }
  checkUrl("app", app);
  checkUrl("manifest", manifest);
  checkEntry(app, entry);
  if (typeof packages !== "string") {
    throw new OptionError(
      'The packages must be a text, names with spaces between them: data-packages="humanize attrs>=25".',
    );
  }
  checkWord("boot", boot, ["eager", "idle", "call", "attach"]);
  checkWord("snapshot", snapshot, ["auto", "off"]);
  checkPython(others);
}

/**
 * Refuse options of `attach` that mean nothing.
 *
 * @param {AttachOptions} [options]
 */
export function checkAttachOptions(options) {
  checkPython(known("webtools.attach", options, OF_PYTHON));
}

/** @param {PythonOptions} options */
function checkPython({
  runtime = "",
  polyfill = "auto",
  artifacts = "memory",
  cursor = "auto",
  inspector,
}) {
  checkUrl("runtime", runtime);
  checkWord("polyfill", polyfill, ["auto", "force", "off"]);
  checkWord("artifacts", artifacts, ["memory", "indexeddb", "off"]);
  checkWord("cursor", cursor, ["auto", "off"]);
  checkInspector(inspector);
}

/** @param {string} name @param {string} url */
function checkUrl(name, url) {
  if (!URL.canParse(url, document.baseURI))
    throw new OptionError(`data-${name}="${url}" is no URL.`);
}

/** @param {string} name @param {string} word @param {string[]} words what it may be */
function checkWord(name, word, words) {
  if (words.includes(word)) return;
  const listed = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  throw new OptionError(`data-${name}="${word}" must be ${listed}.`);
}

/** @param {unknown} inspector */
export function checkInspector(inspector) {
  if (inspector === undefined || inspector === "open" || inspector === "key") return;
  throw new OptionError(`data-inspector="${inspector}" must be open or key.`);
}

/** A module's name, with its packages'. */
const MODULE = /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u;

/**
 * An archive has to have an entry, and nothing else has one.
 *
 * @param {string} app a URL
 * @param {string | undefined} entry
 */
function checkEntry(app, entry) {
  const needsEntry = /\.(zip|whl)$/i.test(new URL(app, document.baseURI).pathname);
  if (needsEntry && entry === undefined) {
    throw new OptionError(
      `data-app="${app}" is an archive: say which of its modules has the tools, data-entry="pkg.module".`,
    );
  }
  if (!needsEntry && entry !== undefined) {
    throw new OptionError(
      `data-entry="${entry}" is for an archive, a .zip or .whl, which data-app="${app}" is not. Leave it out.`,
    );
  }
  if (entry !== undefined && (typeof entry !== "string" || !MODULE.test(entry))) {
    throw new OptionError(`data-entry="${entry}" must be a module's name, such as pkg.module.`);
  }
}

/** An option means nothing; the text names the cure. */
export class OptionError extends TypeError {}
