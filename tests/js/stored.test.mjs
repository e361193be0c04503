import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { readStored, writeStored } from "../../static/stored.js";
import { forbidWarnings } from "./fakes.mjs";

forbidWarnings();

/** @param {PropertyDescriptor} descriptor how the page has its `sessionStorage` */
function havingStorage(descriptor) {
  Object.defineProperty(globalThis, "sessionStorage", { ...descriptor, configurable: true });
}

/** @returns {any} */
function fakeStorage() {
  const texts = new Map();
  return {
    getItem: (/** @type {string} */ name) => texts.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => texts.set(name, text),
  };
}

const throws = (/** @type {string} */ name) => () => {
  throw new DOMException("no", name);
};

describe("what the tab keeps", () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, "sessionStorage");
  });

  test("a text that was written is read, by its name", () => {
    havingStorage({ value: fakeStorage() });
    assert.equal(writeStored("a", ""), true);
    assert.equal(writeStored("b", "größe"), true);
    assert.deepEqual([readStored("a"), readStored("b")], ["", "größe"]);
  });

  test("what was never written is undefined, which Python takes for None", () => {
    havingStorage({ value: fakeStorage() });
    assert.equal(readStored("a"), undefined);
  });

  test("a storage that is full keeps nothing and throws nothing", () => {
    havingStorage({ value: { ...fakeStorage(), setItem: throws("QuotaExceededError") } });
    assert.equal(writeStored("a", "text"), false);
    assert.equal(readStored("a"), undefined);
  });

  test("a storage that the browser refuses keeps nothing and throws nothing", () => {
    havingStorage({ get: throws("SecurityError") });
    assert.equal(writeStored("a", "text"), false);
    assert.equal(readStored("a"), undefined);
  });

  test("a page without one keeps nothing and throws nothing", () => {
    assert.equal(writeStored("a", "text"), false);
    assert.equal(readStored("a"), undefined);
  });
});
