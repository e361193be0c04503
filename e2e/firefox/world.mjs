/** Firefox over WebDriver BiDi, and what serves the pages; each is started once and closed by whoever started it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import puppeteer from "puppeteer-core";

/** How long a slow machine may take for Python to come up. */
export const BOOT_MS = 120_000;

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Firefox as Debian names it, or what `WEBTOOLS_FIREFOX` names. @returns {Promise<import("puppeteer-core").Browser>} */
export function launchFirefox() {
  const executablePath = process.env.WEBTOOLS_FIREFOX ?? "/usr/bin/firefox-esr";
  return puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    protocolTimeout: BOOT_MS,
  });
}

/**
 * Serves a folder of the checkout as `webtools serve` does.
 *
 * @param {string} folder
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serve(folder) {
  const python = process.env.WEBTOOLS_PYTHON ?? "python3";
  const args = ["-m", "webtools", "serve", resolve(ROOT, folder), "--port", "0", "--no-reload"];
  const server = spawn(python, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit");
  const url = await Promise.race([urlIn(server.stdout), ended.then(() => "")]);
  if (!url) throw new Error(`webtools serve ${folder} ended without a URL`);
  const close = async () => {
    server.kill();
    await ended;
  };
  return { url, close };
}

/**
 * The pages of the table of requirements: an empty one, and the table's own JavaScript.
 *
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function serveTable() {
  const folder = await mkdtemp(join(tmpdir(), "webtools-firefox-"));
  await cp(join(ROOT, "tests", "js"), join(folder, "requirements"), { recursive: true });
  await cp(join(ROOT, "e2e", "pages", "empty.html"), join(folder, "empty.html"));
  const { url, close } = await serve(folder);
  return { url, close: () => close().then(() => rm(folder, { recursive: true })) };
}

/** @param {import("node:stream").Readable} output */
async function urlIn(output) {
  let text = "";
  for await (const chunk of output) {
    text += chunk;
    const [url] = /https?:\/\/\S+/.exec(text) ?? [];
    if (url) return url;
  }
  return "";
}

/**
 * Write down what came of the table, as `e2e/outcomes.py` does for Chromium.
 *
 * @param {string} browser its name and version
 * @param {Record<string, {firefox: string}>} outcomes by requirement
 */
export async function writeResults(browser, outcomes) {
  const folder = join(ROOT, "build", "results");
  await mkdir(folder, { recursive: true });
  const results = { browser, tests: { "e2e/test_model_context.py": outcomes } };
  await writeFile(join(folder, "firefox.json"), `${JSON.stringify(results, null, 1)}\n`);
}
