/**
 * Packages that a page asks for with `data-packages`: micropip installs them, from the index beside the library. It is
 * fetched by a page that asks for some, and by no other.
 */
import { absolute, BootError, fetchFile, refuseHtml } from "./fetching.js";

/** @typedef {import("./sources.js").App} App */

const CURE = 'Run "python -m webtools serve", which has it.';

/** Where this file is served from, the index and micropip are, too. */
const HOME = absolute("./packages", import.meta.url);

/**
 * @param {any} pyodide
 * @param {(app: App) => Promise<void>} prepare fetches what is imported and not there yet
 * @param {string} [home] URL of the index, without "/" at its end; micropip lies in it
 * @returns {(packages: string) => Promise<void>} installs what is not there yet, requirements with spaces between them
 */
export function packageInstaller(pyodide, prepare, home = HOME) {
  /** @type {Promise<void> | undefined} */
  let added;
  return async (packages) => {
    const requirements = packages.split(/\s+/).filter(Boolean).map(resolved);
    if (requirements.length === 0) return;
    checkOrigin(home);
    added ??= addMicropip(pyodide, prepare, `${home}/micropip.whl`);
    await added.catch((error) => {
      added = undefined; // the next start tries again
      throw error;
    });
    const python = pyodide.pyimport("webtools.browser.packages");
    const problem = await python.install(requirements.join(" "), home);
    if (problem === undefined) return;
    const { message, traceback } = JSON.parse(problem);
    throw new BootError(message, traceback);
  };
}

/**
 * @param {any} pyodide
 * @param {(app: App) => Promise<void>} prepare
 * @param {string} url
 */
async function addMicropip(pyodide, prepare, url) {
  if (pyodide.loadedPackages.micropip) return; // by the page, whose own Python it is
  const { bytes, type } = await fetchFile(url, CURE);
  refuseHtml(url, type, "micropip", CURE);
  await prepare({ archive: new Uint8Array(bytes), entry: "micropip" });
  pyodide.unpackArchive(bytes, "wheel");
}

/** A name stays one; a wheel's path is resolved against the page's address. @param {string} requirement */
function resolved(requirement) {
  const isPath = /\.whl$/i.test(requirement) && !requirement.includes(":");
  return isPath ? absolute(requirement) : requirement;
}

/** @param {string} home */
function checkOrigin(home) {
  if (new URL(home).origin === window.location.origin) return;
  throw new BootError(
    `data-packages: the index ${home}/ is on another origin than the page. ` +
      "Serve webtools from the page's own origin.",
  );
}
