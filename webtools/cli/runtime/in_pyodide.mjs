/**
 * Call a function in the page's own Python, under Node: `node in_pyodide.mjs JOB`.
 *
 * JOB is a JSON file that `in_pyodide.py` writes: `pyodide` is the URL of Pyodide's folder, `stdlib` the path of a
 * standard library, `info` what Pyodide's lock says of its build; `script` is run, and its function of the name `name`
 * called once with each of `calls`, which are keyword arguments. Either `wheels` are installed first, and Python sees
 * this machine's files below `/host`; or a `pack` is unpacked, and the memory that the calls leave is written into
 * `heap`, with what a page has to know in `about`.
 */
import nodeCrypto from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

const job = JSON.parse(await readFile(process.argv[2], "utf-8"));
const { loadPyodide } = await import(`${job.pyodide}pyodide.mjs`);
const options = {
  stdLibURL: job.stdlib,
  lockFileContents: JSON.stringify({ info: job.info, packages: {} }),
};
await (job.heap ? snapshot() : call(await withWheels()));

/** @param {any} python */
async function call(python) {
  const globals = python.toPy({ __name__: job.name });
  python.runPython(await readFile(job.script, "utf-8"), { globals });
  const called = globals.get(job.name);
  for (const keywords of job.calls) called.callKwargs(keywords);
  called.destroy();
  globals.destroy();
}

async function withWheels() {
  const python = await loadPyodide(options);
  python.FS.mkdirTree("/host");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/host");
  for (const wheel of job.wheels) {
    python.unpackArchive(new Uint8Array(await readFile(wheel)), "wheel");
  }
  return python;
}

async function snapshot() {
  standStill();
  const { membersOf, unpack } = await import(`${job.library}pack.js`);
  const { takeSnapshot, withLibraries } = await import(`${job.library}snapshot.js`);
  const { default: createModule } = await import(`${job.pyodide}pyodide.asm.mjs`);
  const members = membersOf(new Uint8Array(await readFile(job.pack)));
  const python = await loadPyodide({
    ...options,
    _makeSnapshot: true,
    createPyodideModule: withLibraries(createModule, members, job.folder),
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
  });
  await unpack(python.FS, members, job.folder);
  const importlib = python.pyimport("importlib");
  importlib.invalidate_caches(); // the folder is as old as it was
  importlib.destroy();
  await call(python);
  const { heap, about } = takeSnapshot(python);
  await writeFile(job.heap, heap);
  await writeFile(job.about, JSON.stringify(about), "utf-8");
  process.exit(); // Python would keep it waiting
}

/**
 * Let the same pack make the same memory: what of this moment and this machine is in it, all pages would have alike
 * anyway. So time does not pass, chance is always the same, and Python is not told where this script lies.
 */
function standStill() {
  process.argv[1] = "/webtools";
  const now = Date.UTC(2020, 0, 1);
  Date.now = () => now;
  performance.now = () => 0;
  let state = 1;
  /** @param {Uint8Array} view */
  const fill = (view) => {
    for (let at = 0; at < view.length; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      view[at] = state >>> 24;
    }
    return view;
  };
  Object.assign(nodeCrypto, { randomFillSync: fill });
}
