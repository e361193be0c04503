/** What apps defined when they were last here: `localStorage`, which a browser may refuse, find full or have damaged. */
import { readManifest } from "./manifest.js";

const KEY = "webtools.manifests";

/**
 * What an app is kept by: with another entry, or other packages, it may define other tools.
 *
 * @param {string} url
 * @param {{entry?: string, packages?: string}} options of its start
 */
export function nameOf(url, { entry, packages }) {
  return entry || packages ? JSON.stringify([url, entry, packages]) : url;
}

/** Of apps, the newest. */
const MAX_APPS = 10;

/** Of all manifests together. */
const MAX_CHARS = 200_000;

/**
 * @param {string} app see `nameOf`
 * @param {string} version the library's, which must have written it
 * @returns {import("./promised.js").PromisedTool[] | undefined} undefined where there is none that can be used
 */
export function recall(app, version) {
  try {
    const found = entries().find(([each]) => each === app);
    return found && readManifest(found[1], version);
  } catch {
    return undefined;
  }
}

/** @param {string} app see `nameOf` @param {string} text its manifest */
export function remember(app, text) {
  const others = entries().filter(([each]) => each !== app);
  const kept = [[app, text], ...others].slice(0, MAX_APPS);
  while (lengthOf(kept) > MAX_CHARS) kept.pop();
  write(JSON.stringify(kept));
}

/** @returns {[string, string][]} */
function entries() {
  try {
    /** @type {unknown[]} */
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return stored.filter(isEntry);
  } catch {
    return [];
  }
}

/** @param {unknown} entry @returns {entry is [string, string]} */
function isEntry(entry) {
  return Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string";
}

/** @param {string[][]} all */
function lengthOf(all) {
  return all.flat().reduce((sum, text) => sum + text.length, 0);
}

/** @param {string} text */
function write(text) {
  try {
    if (localStorage.getItem(KEY) !== text) localStorage.setItem(KEY, text);
  } catch {
    // the next visit does without it
  }
}
