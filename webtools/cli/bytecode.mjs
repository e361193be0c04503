/**
 * Compile archives of Python ahead, with the page's own Python: `node bytecode.mjs JOBS`.
 *
 * JOBS is a JSON file: `{pyodide, precompile, jobs: [{source, target, folder}]}`, where `pyodide` is the URL of
 * pyodide.mjs, `precompile` the path of precompile.py, and the rest are the arguments of its function. Sources and
 * targets are absolute paths.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";

const { pyodide: url, precompile, jobs } = JSON.parse(await readFile(process.argv[2], "utf-8"));
const { loadPyodide } = await import(url);
const python = await loadPyodide();

/** Where Python sees a folder of this machine. @type {Map<string, string>} */
const mounts = new Map();

/** @param {string} file @returns {string} its path in Python */
function seen(file) {
  const folder = path.dirname(file);
  let place = mounts.get(folder);
  if (!place) {
    place = `/host${mounts.size}`;
    mounts.set(folder, place);
    python.FS.mkdirTree(place);
    python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, place);
  }
  return `${place}/${path.basename(file)}`;
}

python.runPython(await readFile(precompile, "utf-8"));
const compile = python.globals.get("precompile");
const toPath = python.globals.get("Path");
for (const { source, target, folder } of jobs) {
  compile.callKwargs(toPath(seen(source)), toPath(seen(target)), { folder });
}
