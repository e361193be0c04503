import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { BootError } from "../../static/fetching.js";
import { fetchApp } from "../../static/sources.js";
import { forbidWarnings } from "./fakes.mjs";
import { newPage, responding } from "./page.mjs";

forbidWarnings();

const PY = "https://shop.example/shop.py";
const ZIP = "https://shop.example/shop.zip";
const HTML = { headers: { "content-type": "text/html; charset=utf-8" } };

/** A response that breaks off in its middle. */
function broken() {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("terminated")),
  });
  return new Response(body);
}

/** Answers in turn, the last one again and again. @param {(() => Response)[]} answers */
const inTurn =
  (...answers) =>
  () =>
    (answers.length > 1 ? answers.shift() : answers[0])?.();

/** @param {Promise<unknown>} fetching @param {RegExp} message */
const assertFails = (fetching, message) =>
  assert.rejects(fetching, (error) => error instanceof BootError && message.test(error.message));

describe("fetchApp", () => {
  test("gives a file's text as UTF-8", async (context) => {
    newPage(context, { files: { [PY]: responding("name = '靴'") } });
    assert.deepEqual(await fetchApp(PY), { source: "name = '靴'" });
  });

  test("refuses a file in another encoding instead of changing its letters", async (context) => {
    const latin = Uint8Array.of(0x23, 0x20, 0xfc);
    newPage(context, { files: { [PY]: () => new Response(latin) } });
    await assertFails(fetchApp(PY), /shop\.py is no UTF-8 text; save it as such/);
  });

  test("says that a page is a page, in whatever encoding", async (context) => {
    const latin = () => new Response(Uint8Array.of(0x3c, 0xfc), HTML);
    newPage(context, { files: { [PY]: latin } });
    await assertFails(fetchApp(PY), /is an HTML page, not Python/);
  });

  test("gives an archive's bytes, with its entry", async (context) => {
    const bytes = Uint8Array.of(80, 75, 3, 4, 255);
    newPage(context, { files: { [ZIP]: () => new Response(bytes) } });
    assert.deepEqual(await fetchApp(ZIP, "shop.tools"), { archive: bytes, entry: "shop.tools" });
  });

  for (const [url, entry, wanted] of /** @type {[string, string | undefined, string][]} */ ([
    [PY, undefined, "Python"],
    [ZIP, "shop", "an archive"],
  ])) {
    test(`refuses what is not there instead of ${wanted}, with the cure`, async (context) => {
      newPage(context, { files: { [url]: responding("", { status: 500 }) } });
      await assertFails(fetchApp(url, entry), /HTTP 500.*data-app right/);
    });

    test(`refuses an HTML page instead of ${wanted}`, async (context) => {
      newPage(context, { files: { [url]: responding("<!doctype html>", HTML) } });
      await assertFails(fetchApp(url, entry), new RegExp(`is an HTML page, not ${wanted}. Is the`));
    });

    test(`tries again when the network died in the middle of ${wanted}`, async (context) => {
      newPage(context, { files: { [url]: inTurn(broken, responding("ok")) } });
      await fetchApp(url, entry);
      newPage(context, { files: { [url]: broken } });
      await assertFails(fetchApp(url, entry), /shop\.\w+ could not be loaded/);
    });
  }
});
