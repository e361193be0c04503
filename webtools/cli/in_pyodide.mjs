/**
 * Call a function in the page's own Python, under Node: `node in_pyodide.mjs JOB`.
 *
 * JOB is a JSON file that `in_pyodide.py` writes: `pyodide` is the URL of pyodide.mjs; `wheels` are installed first;
 * `script` is run, and its function of the name `name` called once with each of `calls`, which are keyword
 * arguments. Python sees this machine's files below `/host`.
 */
import { readFile } from "node:fs/promises";

const { pyodide, stdlib, wheels, script, name, calls } = JSON.parse(
  await readFile(process.argv[2], "utf-8"),
);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide(stdlib ? { stdLibURL: stdlib } : {});
python.FS.mkdirTree("/host");
python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/host");
for (const wheel of wheels) {
  python.unpackArchive(new Uint8Array(await readFile(wheel)), "wheel");
}
python.runPython(await readFile(script, "utf-8"));
const call = python.globals.get(name);
for (const keywords of calls) call.callKwargs(keywords);
