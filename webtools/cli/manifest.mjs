/**
 * Run an app in the page's own Python, without a page, and write what its tools are: `node manifest.mjs JOB`.
 *
 * JOB is a JSON file: `{runtime, url, source, version, target}`, where `runtime` is the folder that pages get, and the
 * file `target` is given what `webtools.browser.manifest.manifest_without_page` returns for the rest. Of an app that
 * is an archive it has `archive`, its path, and `entry` instead of `source`.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(await readFile(process.argv[2], "utf-8"));
const inRuntime = (/** @type {string} */ name) => path.join(job.runtime, name);
const { engine, info, wholeStdlib, packages, sitePackages } = JSON.parse(
  await readFile(inRuntime("runtime.json"), "utf-8"),
);
const { membersOf, unpack } = await import(`${job.library}pack.js`);
const { loadPyodide } = await import(pathToFileURL(inRuntime(`${engine}pyodide.mjs`)).href);
// no page waits here, so the standard library is whole
const python = await loadPyodide({
  stdLibURL: inRuntime(wholeStdlib.file),
  lockFileContents: JSON.stringify({ info, packages: {} }),
});
const pack = new Uint8Array(await readFile(inRuntime(packages.file)));
await unpack(python.FS, membersOf(pack), sitePackages);
python.pyimport("importlib").invalidate_caches();
const write = python.pyimport("webtools.browser.manifest");
const answer = job.archive
  ? write.manifest_of_archive_without_page(
      job.url,
      new Uint8Array(await readFile(job.archive)),
      job.entry,
      job.version,
    )
  : write.manifest_without_page(job.url, job.source, job.version);
await writeFile(job.target, answer, "utf-8");
process.exit(); // an app may have started something
