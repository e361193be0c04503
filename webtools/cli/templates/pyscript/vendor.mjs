// Puts PyScript and Pyodide beside the page, so that it asks no other host: npm run vendor

import { cpSync, existsSync, rmSync } from "node:fs";

const FOLDERS = [
  ["node_modules/pyodide", "site/pyodide"],
  ["node_modules/@pyscript/core/dist", "site/pyscript"],
];

/**
 * Whether a page may ask for it.
 * @param {string} path
 */
function isFetched(path) {
  return !/\.(html|map|md|ts)$/.test(path);
}

const missing = FOLDERS.map(([source]) => source).filter((source) => !existsSync(source));
if (missing.length > 0) {
  console.error(`Not here yet: ${missing.join(", ")}; run first: npm install`);
  process.exitCode = 1;
} else {
  for (const [source, target] of FOLDERS) {
    rmSync(target, { recursive: true, force: true });
    cpSync(source, target, { recursive: true, filter: isFetched });
  }
}
