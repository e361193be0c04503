/** When Python is fetched: `data-boot`. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { forbidWarnings, replace, turn } from "./fakes.mjs";
import { newPage, responding } from "./page.mjs";

forbidWarnings();

const URL = "https://shop.example/a.json";

const MANIFEST = JSON.stringify({
  webtools: "1",
  app: "0",
  tools: [
    { definition: '{"name":"a","description":"d"}', held: false, match: [], timeout: 60 },
    { definition: '{"name":"held","description":"d"}', held: true, match: [], timeout: 60 },
  ],
});

/**
 * A page whose idle time comes when the test says so.
 *
 * @param {import("node:test").TestContext} context
 * @param {any} [python]
 */
function idlePage(context, python) {
  /** @type {(() => void)[]} */
  const idle = [];
  /** @type {any[]} */
  const asked = [];
  replace(
    context,
    "requestIdleCallback",
    (/** @type {() => void} */ run, /** @type {any} */ how) => {
      asked.push(how);
      idle.push(run);
    },
  );
  const page = newPage(context, { files: { [URL]: responding(MANIFEST) }, python });
  const beIdle = () => {
    for (const run of idle.splice(0)) run();
  };
  const isFetched = async () => {
    await turn();
    return page.fetch.calls.some(({ arguments: [url] }) => `${url}`.endsWith(".wasm"));
  };
  return { ...page, asked, beIdle, isFetched };
}

describe("Python is fetched", () => {
  test("at once, unless the page says otherwise", async (context) => {
    const page = idlePage(context);
    page.host.start({ app: "/a.py" });
    assert.equal(await page.isFetched(), true);
    await page.host.ready;
    assert.deepEqual(page.asked, []);
  });

  test("when the page is idle, 2 s later at most", async (context) => {
    const page = idlePage(context);
    const started = page.host.start({ app: "/a.py", boot: "idle", manifest: "/a.json" });
    assert.equal(await page.isFetched(), false);
    assert.equal(page.host.status, "loading");
    assert.deepEqual(page.asked, [{ timeout: 2000 }]);
    page.beIdle();
    await started;
    assert.equal(page.host.status, "ready");
  });

  test("after a moment where the browser does not tell that it is idle", async (context) => {
    const page = newPage(context);
    await page.host.start({ app: "/a.py", boot: "idle" });
    assert.equal(page.host.status, "ready");
  });

  for (const boot of /** @type {("idle" | "call")[]} */ (["idle", "call"])) {
    test(`with the first call, with "${boot}"`, async (context) => {
      const page = idlePage(context);
      page.host.start({ app: "/a.py", boot, manifest: "/a.json" });
      await turn();
      page.document.modelContext.registered[0].tool.execute({}, {});
      assert.equal(await page.isFetched(), true);
      await page.host.ready;
    });
  }

  test("with the page's own first call, also of a tool that nobody has promised", async (context) => {
    const page = idlePage(context);
    page.host.start({ app: "/a.py", boot: "call", manifest: "/a.json" });
    assert.equal(await page.isFetched(), false);
    const answer = await page.host.call("b");
    assert.equal(answer.content[0].text, "done");
  });

  test("and until then the page is loading, and its tools are there", async (context) => {
    const page = idlePage(context);
    page.host.start({ app: "/a.py", boot: "call", manifest: "/a.json" });
    const isPending = await Promise.race([page.host.ready, turn().then(() => "pending")]);
    assert.equal(isPending, "pending");
    assert.equal(page.host.status, "loading");
    assert.deepEqual(
      page.host.tools().map(({ name, state }) => [name, state]),
      [["a", "registered"]],
    );
    page.host.hold("held");
    page.beIdle();
    assert.equal(await page.isFetched(), false);
    assert.deepEqual(page.asked, []);
  });

  for (const [what, wait] of /** @type {[string, (host: any) => void][]} */ ([
    ["a release", (host) => host.define({ name: "b", description: "d" }, () => {}).release()],
    ["a hold of a tool that is not promised", (host) => host.hold("b")],
  ])) {
    test(`with "call" when the page is idle, where ${what} waits for it`, async (context) => {
      for (const isBefore of [true, false]) {
        const page = idlePage(context);
        if (isBefore) wait(page.host);
        page.host.start({ app: "/a.py", boot: "call", manifest: "/a.json" });
        await turn();
        if (!isBefore) wait(page.host);
        assert.equal(await page.isFetched(), false);
        page.beIdle();
        assert.equal(await page.isFetched(), true, `${isBefore}`);
        await page.host.ready;
      }
    });
  }

  test('with "call" when the page is idle, where a manifest promises nothing', async (context) => {
    const page = idlePage(context);
    const empty = JSON.stringify({ webtools: "1", app: "0", tools: [] });
    page.fetch.mockImplementationOnce(async () => new Response(empty));
    page.host.start({ app: "/a.py", boot: "call", manifest: "/a.json" });
    assert.equal(await page.isFetched(), false);
    page.beIdle();
    assert.equal(await page.isFetched(), true);
    await page.host.ready;
  });

  test('with "call" when the page is idle, where no tool is known that could be called', async (context) => {
    const page = idlePage(context);
    page.host.start({ app: "/a.py", boot: "call" });
    assert.equal(await page.isFetched(), false);
    page.beIdle();
    assert.equal(await page.isFetched(), true);
    await page.host.ready;
  });

  test("as soon as one of the starts wants it", async (context) => {
    const page = idlePage(context);
    const first = page.host.start({ app: "/a.py", boot: "call", manifest: "/a.json" });
    await turn();
    const second = page.host.start({ app: "/b.py" });
    await Promise.all([first, second]);
    assert.deepEqual(
      page.calls.filter(([what]) => what === "load").map(([, url]) => url),
      ["https://shop.example/a.py", "https://shop.example/b.py"],
    );
  });

  test("for no start that is refused", async (context) => {
    const page = idlePage(context);
    const wrong = /** @type {any} */ ({ app: "/a.py", boot: "never" });
    await assert.rejects(page.host.start(wrong), /must be eager, idle, call or attach/);
    page.beIdle();
    assert.equal(await page.isFetched(), false);
  });

  test("for no hold of a page that starts nothing", async (context) => {
    const page = idlePage(context);
    page.host.hold("a");
    await turn();
    assert.deepEqual(page.asked, []);
  });
});
