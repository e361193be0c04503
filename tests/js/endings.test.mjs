import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";

import { Endings } from "../../static/endings.js";
import { forbidWarnings, turn } from "./fakes.mjs";

forbidWarnings();

/** Whether a promise has settled by now. @param {Promise<unknown>} promise */
async function isSettled(promise) {
  let settled = false;
  promise.finally(() => (settled = true)).catch(() => {});
  await turn();
  return settled;
}

describe("an end", () => {
  test("is Python's to make, and settles when Python is done", async () => {
    /** @type {any[][]} */
    const asked = [];
    const endings = new Endings();
    const identity = { conversationId: "talk-1", tenant: "acme" };
    const ended = endings.end((...args) => void asked.push(args), "session", "s1", { identity });
    assert.deepEqual(asked, [[1, "session", "s1", JSON.stringify(identity)]]);
    assert.equal(await isSettled(ended), false);
    endings.ended(2);
    assert.equal(await isSettled(ended), false);
    endings.ended(1);
    await ended;
  });

  test("that Python made at once settles, too", async () => {
    const endings = new Endings();
    await endings.end((number) => void endings.ended(number), "run", "r1");
  });

  test("settles at once without Python, and with Python's death", async () => {
    const endings = new Endings();
    await endings.end(undefined, "run", "r1");
    const ended = endings.end(() => undefined, "run", "r1");
    endings.endAll();
    await ended;
  });

  for (const id of [undefined, "", 5]) {
    test(`of a run whose id is ${JSON.stringify(id)} is a TypeError`, async () => {
      const ending = new Endings().end(() => undefined, "run", /** @type {any} */ (id));
      await assert.rejects(ending, { name: "TypeError", message: /id of a run is a text/ });
    });
  }

  for (const [options, said] of /** @type {[any, RegExp][]} */ ([
    [{ identiy: 5 }, /^webtools.endRun: there is no option identiy; there is identity\.$/],
    [5, /^webtools.endRun: the options must be an object/],
    [{ identity: () => {} }, /^identity is a function, which JSON cannot hold$/],
    [
      { identity: { conversationId: "c", tenant: Symbol("t") } },
      /^tenant is a symbol, which JSON cannot hold$/,
    ],
  ])) {
    test(`with the options ${inspect(options)} is a TypeError, and ends nothing`, async () => {
      const ending = new Endings().end(() => assert.fail("it ended"), "run", "r1", options);
      await assert.rejects(ending, { name: "TypeError", message: said });
    });
  }

  test("with an identity that Python cannot use is a TypeError, and waits for nothing", async () => {
    const ending = new Endings().end(() => "tenant must be a text", "run", "r1");
    await assert.rejects(ending, {
      name: "TypeError",
      message: "webtools: tenant must be a text.",
    });
  });
});
