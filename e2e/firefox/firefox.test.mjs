/** A smoke test in a browser that has no model context: the polyfill's table, and the storefront. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";

import { BOOT_MS, launchFirefox, serve, serveTable, writeResults } from "./world.mjs";

const REQUIREMENTS = JSON.parse(
  await readFile(new URL("../../tests/model_context.json", import.meta.url), "utf8"),
);

/** @type {import("puppeteer-core").Browser} */
let firefox;
before(async () => {
  firefox = await launchFirefox();
});
after(async () => {
  await writeResults(await firefox.version(), outcomes);
  await firefox.close();
});

/** What came of each requirement. @type {Record<string, {firefox: "passed" | "failed"}>} */
const outcomes = {};

/** A page without tools whose context is the polyfill's. @param {string} url */
async function emptyPage(url) {
  const page = await firefox.newPage();
  await page.goto(`${url}empty.html`);
  assert.equal(await page.evaluate("'modelContext' in document"), false);
  await page.evaluate("import('/webtools/polyfill.js').then(({apply}) => { apply(); })");
  return page;
}

describe("the table of requirements", () => {
  /** @type {{url: string, close: () => Promise<void>}} */
  let site;
  /** @type {import("puppeteer-core").Page} */
  let page;
  before(async () => {
    site = await serveTable();
    page = await emptyPage(site.url);
  });
  after(async () => {
    await page.close();
    await site.close();
  });

  for (const requirement of REQUIREMENTS) {
    test(`${requirement.id}: ${requirement.must}`, async () => {
      const run = `(async () => {
        const { runRequirement } = await import("/requirements/model_context_table.mjs");
        const { apply } = await import("/webtools/polyfill.js");
        const prepare = (view) => view.eval(
          "import('/webtools/polyfill.js').then(({apply}) => { apply(); })",
        );
        await runRequirement(${JSON.stringify(requirement)}, document.modelContext, prepare);
      })()`;
      outcomes[requirement.id] = { firefox: "failed" };
      await page.evaluate(run);
      outcomes[requirement.id] = { firefox: "passed" };
    });
  }
});

describe("the storefront", () => {
  /** @type {{url: string, close: () => Promise<void>}} */
  let site;
  /** @type {import("puppeteer-core").Page} */
  let page;
  before(async () => {
    site = await serve("static/storefront");
    page = await firefox.newPage();
    await page.goto(site.url);
  });
  after(async () => {
    await page.close();
    await site.close();
  });

  test("boots Python", { timeout: BOOT_MS }, async () => {
    assert.equal(await page.evaluate("webtools.ready.then(() => webtools.status)"), "ready");
    // the page's own modules may come later
    await page.evaluate(`new Promise((resolve) => {
      const look = () =>
        document.querySelector(".agent[data-python=ready]") ? resolve() : setTimeout(look, 20);
      look();
    })`);
  });

  test("lists its tools on the polyfill", async () => {
    const names = /** @type {string[]} */ (
      await page.evaluate(
        "document.modelContext.getTools().then((tools) => tools.map(({name}) => name))",
      )
    );
    for (const name of ["list_cart", "show_page"]) assert.ok(names.includes(name), `${names}`);
  });

  test("answers a call with what the page has", async () => {
    const answer = await page.evaluate(`(async () => {
      const tools = await document.modelContext.getTools();
      const tool = tools.find(({name}) => name === "list_cart");
      return JSON.parse(await document.modelContext.executeTool(tool)).structuredContent.lines;
    })()`);
    assert.deepEqual(answer, []);
  });
});

describe("Python", () => {
  /** @type {{url: string, close: () => Promise<void>}} */
  let site;
  before(async () => {
    site = await serve("e2e/pages");
  });
  after(() => site.close());

  for (const [name, isRestored] of /** @type {const} */ ([
    ["how.html", true],
    ["how_plain.html", false],
  ])) {
    const where = isRestored ? "a snapshot" : "its files";
    test(`comes up from ${where}`, { timeout: 2 * BOOT_MS }, async () => {
      const page = await firefox.newPage();
      /** @type {string[]} */
      const said = [];
      page.on("console", (message) => said.push(message.text()));
      await page.goto(site.url + name);
      const how = await page.evaluate(
        "webtools.call('how', {}).then(({structuredContent}) => structuredContent)",
      );
      assert.equal(/** @type {any} */ (how).restored, isRestored);
      assert.deepEqual(said, []);
      await page.close();
    });
  }
});
