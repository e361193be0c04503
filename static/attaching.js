/**
 * Take webtools into a Python that the page has already: its packages are unpacked there, where none of them is yet.
 * What the page has stays, and so do its settings.
 */
import { BootError } from "./fetching.js";
import { distributionsIn, unfit } from "./distributions.js";
import { membersOf, unpack } from "./pack.js";
import { openRuntime } from "./runtime.js";

/** @typedef {import("./runtime.js").Runtime} Runtime */
/** @typedef {import("./distributions.js").Distribution} Distribution */

/** Says which Python it is, and which versions it has of what is asked for; "" where that is unknown. */
const LOOK = `
import json, sys, sysconfig
from importlib import metadata
from importlib.util import find_spec

def is_there(module):
    try:
        return module in sys.modules or find_spec(module) is not None
    except ImportError:  # Pyodide knows the name, and says how to get it
        return False

def version_of(name, modules):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "" if any(map(is_there, modules)) else None

json.dumps({
    "python": ".".join(map(str, sys.version_info[:3])),
    "abi": sysconfig.get_config_var("PYODIDE_ABI_VERSION"),
    "versions": {name: version_of(name, modules) for name, modules in json.loads(asked)},
})
`;

/**
 * @typedef {object} Found
 * @property {string} python its version
 * @property {string | null} abi what libraries of WebAssembly have to be built for
 * @property {Record<string, string | null>} versions by the names of distributions; null: it is not there
 */

/**
 * @param {any} given Pyodide, or a promise of it
 * @param {string} base URL of the runtime's folder, ends with "/"
 * @returns {Promise<{pyodide: any, runtime: Runtime}>} it, with `webtools` installed
 */
export async function joinPython(given, base) {
  const [pyodide, runtime] = await Promise.all([given, openRuntime(base)]);
  checkPyodide(pyodide);
  const members = membersOf(await runtime.fetch(runtime.index.packages));
  const distributions = distributionsIn(members);
  const found = look(pyodide, distributions);
  checkVersion(found, runtime.index.info);
  const problem = unfit(distributions, found.versions);
  if (problem) throw new BootError(`webtools.attach: ${problem}`);
  const taken = new Set(
    distributions.filter(({ name }) => found.versions[name] != null).flatMap(({ files }) => files),
  );
  const missing = members.filter(([name]) => !taken.has(name) && !taken.has(sourceOf(name)));
  await unpack(pyodide.FS, missing, runtime.index.sitePackages);
  pyodide.pyimport("importlib").invalidate_caches();
  return { pyodide, runtime };
}

/**
 * Hear of Python's end, as whoever heard of it before.
 *
 * @param {any} pyodide
 * @param {(error: unknown) => void} onDeath
 */
export function hearOfDeath(pyodide, onDeath) {
  const api = pyodide._api;
  const before = api.on_fatal;
  api.on_fatal = (/** @type {unknown} */ error) => {
    before?.call(api, error);
    onDeath(error);
  };
}

/** @param {any} pyodide */
function checkPyodide(pyodide) {
  const { version, FS, pyimport, runPython } = Object(pyodide);
  const isPyodide = typeof version === "string" && typeof FS === "object";
  if (isPyodide && [pyimport, runPython].every((each) => typeof each === "function")) return;
  throw new BootError(
    "webtools.attach: this is no Pyodide of the page's own thread. Give what loadPyodide() gives, or, in Python, " +
      "pyodide_js. MicroPython and a Python in a worker cannot have webtools.",
  );
}

/**
 * @param {any} pyodide
 * @param {Distribution[]} distributions
 * @returns {Found}
 */
function look(pyodide, distributions) {
  const asked = JSON.stringify(distributions.map(({ name, modules }) => [name, modules]));
  const globals = pyodide.toPy({ asked });
  try {
    return JSON.parse(pyodide.runPython(LOOK, { globals }));
  } finally {
    globals.destroy();
  }
}

/** @param {Found} found @param {Record<string, string>} info what Pyodide's own lock says of our build */
function checkVersion({ python, abi }, info) {
  const ours = String(info.python);
  if (minorOf(python) === minorOf(ours) && abi === info.abi_version) return;
  throw new BootError(
    `webtools.attach: this page's Python is ${python} (ABI ${abi ?? "unknown"}), and webtools has files for Python ` +
      `${minorOf(ours)} (ABI ${info.abi_version}) only. Load a Pyodide of that Python, such as pyodide@314 of npm.`,
  );
}

/** @param {string} version @returns {string} "3.14" of "3.14.2" */
function minorOf(version) {
  return version.split(".", 2).join(".");
}

/** @param {string} name of a module's bytecode @returns {string} of its source, which RECORD lists */
function sourceOf(name) {
  return name.replace(/\.pyc$/, ".py");
}
