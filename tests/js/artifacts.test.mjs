import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Border } from "../../static/border.js";
import { opened } from "../../static/opened.js";
import { fakePython, forbidWarnings, until } from "./fakes.mjs";
import { newPage } from "./page.mjs";

forbidWarnings();

/** @param {object} artifact */
const opening = (artifact) =>
  /** @type {import("../../static/opened.js").OpenArtifact} */ (opened(JSON.stringify(artifact)));

describe("opened", () => {
  test("gives a URL of the bytes, with the type that they have", async () => {
    const base64 = Buffer.from([0, 128, 255]).toString("base64");
    const { url, kind, mediaType, label } = opening({
      kind: "picture",
      mediaType: "image/png",
      label: "größe",
      base64,
    });
    const response = await fetch(url);
    assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [0, 128, 255]);
    assert.equal(response.headers.get("content-type"), "image/png");
    assert.deepEqual([kind, mediaType, label], ["picture", "image/png", "größe"]);
  });

  test("gives a URL of the text, which has nothing any more once it is released", async () => {
    const { url, release, ...rest } = opening({
      kind: "a",
      mediaType: "text/plain",
      text: "größe",
    });
    assert.equal(await (await fetch(url)).text(), "größe");
    assert.deepEqual(rest, { kind: "a", mediaType: "text/plain" });
    release();
    release();
    await assert.rejects(fetch(url));
  });

  for (const mediaType of [
    "text/html",
    "image/svg+xml",
    "text/xml",
    "application/javascript",
    "image/png;text/html",
    "IMAGE/PNG",
    "",
  ]) {
    test(`takes ${mediaType || "no type"} for a download`, async () => {
      const { url, mediaType: stated } = opening({ kind: "a", mediaType, text: "" });
      const response = await fetch(url);
      assert.equal(response.headers.get("content-type"), "application/octet-stream");
      assert.equal(stated, mediaType);
    });
  }

  test("is null where there is none", () => assert.equal(opened("null"), null));

  test("throws where that cannot be told", () => {
    assert.throws(() => opened('{"error": "no store"}'), /no store/);
  });
});

describe("openArtifact", () => {
  const note = JSON.stringify({ kind: "note", mediaType: "text/plain", text: "x" });

  test("asks Python, which answers later", async (context) => {
    const page = newPage(context, {
      python: {
        read_artifact: (number, ref) => {
          const [[border]] = page.pyodide.started;
          queueMicrotask(() => border.artifactRead(number, ref === "art_a" ? note : "null"));
        },
      },
    });
    page.host.start({ app: "/a.py" });
    assert.equal((await page.host.openArtifact("art_a"))?.kind, "note");
    assert.equal(await page.host.openArtifact("art_b"), null);
  });

  test("says so where Python is not up", async (context) => {
    const { host } = newPage(context);
    await assert.rejects(host.openArtifact("art_a"), /Python is not up/);
  });

  test("ends with Python", async () => {
    /** @type {any} */
    const listeners = { onDeath: () => {} };
    const border = new Border(new Map(), listeners);
    border.attach(fakePython({ read_artifact: () => {} }).host);
    const reading = border.services.readArtifact("art_a");
    border.die("it died");
    assert.match(await reading, /Python is not up/);
    border.port.artifactRead(1, note); // harmless
  });
});

describe("callArtifacts", () => {
  test("tells Python why there is no storage, and can reach nothing else", async () => {
    const python = fakePython();
    const border = new Border(new Map(), /** @type {any} */ ({}));
    border.attach(python.host);
    border.port.callArtifacts(1, "readIndex", '["scope"]');
    border.port.callArtifacts(2, "toString", "[]");
    const answers = () => python.calls.filter(([name]) => name === "page_answered");
    await until(() => answers().length === 2);
    const told = Object.fromEntries(answers().map(([, call, text]) => [call, JSON.parse(text)]));
    assert.match(told[1].error.message, /the browser's storage does not work \(ReferenceError\)/);
    assert.match(told[2].error.message, /no function "toString"/);
  });
});
