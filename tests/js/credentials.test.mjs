import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Credentials } from "../../static/credentials.js";
import { deferred, forbidWarnings, turn, UNREADABLE } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {import("../../static/credentials.js").Provide} Provide */

const ASKED = { service: "payments", scopes: ["charge"] };
const HEADERS = { Authorization: "Bearer secret-token-1" };

/**
 * A page's credentials, what was provided so far, and what the console was told.
 *
 * @param {TestContext} context
 * @param {any} [provide]
 */
function newCredentials(context, provide) {
  const { mock } = context.mock.method(console, "error", () => {});
  /** @type {[number, unknown][]} */
  const provided = [];
  const credentials = new Credentials((number, text) => provided.push([number, JSON.parse(text)]));
  if (provide) credentials.provideWith(provide);
  const request = (number = 1) => credentials.request(number, JSON.stringify(ASKED));
  const said = () => mock.calls.map(({ arguments: args }) => args.join(" "));
  return { credentials, provided, request, said };
}

describe("a request", () => {
  test("hands the provider what is needed, and gives what it gives", async (context) => {
    /** @type {any} */
    let asked;
    const { request, provided, said } = newCredentials(context, (/** @type {any} */ given) => {
      asked = given;
      return { headers: HEADERS, expiresAt: 5 };
    });
    await request(7);
    const { signal, ...rest } = asked;
    assert.deepEqual(rest, ASKED);
    assert.equal(signal.aborted, false);
    assert.deepEqual(provided, [[7, { headers: HEADERS, expiresAt: 5 }]]);
    assert.deepEqual(said(), []);
  });

  for (const time of [NaN, Infinity]) {
    test(`whose credential expires at ${time} is not given as one that says no time`, async (context) => {
      const { request, provided } = newCredentials(context, () => ({
        headers: HEADERS,
        expiresAt: time,
      }));
      await request();
      assert.deepEqual(provided, [[1, { headers: HEADERS, expiresAt: String(time) }]]);
    });
  }

  test("tells of a misspelt property its name, and never its value", async (context) => {
    const { request, provided } = newCredentials(context, () => ({
      headers: HEADERS,
      expires_at: HEADERS.Authorization,
    }));
    await request();
    assert.deepEqual(provided, [[1, { headers: HEADERS, expires_at: null }]]);
  });

  test("is refused where the provider has none, or there is no provider", async (context) => {
    const { credentials, request, provided } = newCredentials(context, async () => null);
    await request(1);
    credentials.provideWith();
    await request(2);
    assert.deepEqual(provided, [
      [1, { reason: "refused" }],
      [2, { reason: "no provider" }],
    ]);
  });

  for (const thrown of [new Error(`no ${HEADERS.Authorization}`), ...UNREADABLE]) {
    test(`whose provider throws ${Object(thrown).name ?? typeof thrown} is refused, and the console does not have its text`, async (context) => {
      const { request, provided, said } = newCredentials(context, () => {
        throw thrown;
      });
      await request();
      assert.deepEqual(provided, [[1, { reason: "failed" }]]);
      assert.equal(said().length, 1);
      assert.doesNotMatch(said()[0], /secret/);
    });
  }

  for (const nonsense of [undefined, "Bearer x", 5, {}, { headers: undefined }]) {
    test(`whose provider gives ${JSON.stringify(nonsense)} has no headers for Python`, async (context) => {
      const { request, provided } = newCredentials(context, () => nonsense);
      await request();
      assert.deepEqual(provided, [[1, {}]]);
    });
  }

  test("that gives what JSON cannot hold is refused", async (context) => {
    /** @type {any} */
    const cyclic = {};
    cyclic.headers = cyclic;
    const { request, provided } = newCredentials(context, () => cyclic);
    await request();
    assert.deepEqual(provided, [[1, { reason: "failed" }]]);
  });

  test("that nobody waits for aborts the provider's signal, and what comes late is dropped", async (context) => {
    const { promise, resolve } = deferred();
    /** @type {AbortSignal | undefined} */
    let signal;
    const { credentials, request, provided } = newCredentials(
      context,
      (/** @type {any} */ asked) => {
        signal = asked.signal;
        return promise;
      },
    );
    request();
    credentials.withdraw(1);
    credentials.withdraw(1);
    assert.equal(signal?.aborted, true);
    resolve({ headers: HEADERS });
    await turn();
    assert.deepEqual(provided, []);
  });

  test("whose provider throws because nobody waits says nothing", async (context) => {
    const { credentials, request, said } = newCredentials(
      context,
      (/** @type {{signal: AbortSignal}} */ { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const asking = request();
    credentials.withdrawAll();
    await asking;
    assert.deepEqual(said(), []);
  });
});

test("another provider ends what the one before was asked", async (context) => {
  /** @type {AbortSignal[]} */
  const signals = [];
  const { credentials, request } = newCredentials(context, (/** @type {any} */ { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  request();
  credentials.provideWith(() => null);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
  assert.equal(credentials.isProvided, true);
  credentials.provideWith();
  assert.equal(credentials.isProvided, false);
});
