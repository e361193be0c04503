import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";

import { Requests } from "../../static/requests.js";
import { forbidWarnings, until } from "./fakes.mjs";

forbidWarnings();

/** What the server does with the next request. @type {import("node:http").RequestListener} */
let serve = () => {};
const server = createServer((request, response) => serve(request, response));
let url = "";

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  url = `http://127.0.0.1:${address.port}/v1/chat/completions`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

function newRequests() {
  /** @type {any[]} */
  const told = [];
  const requests = new Requests((number, text) => told.push([number, JSON.parse(text)]));
  const send = (/** @type {number} */ number, body = "{}") => {
    const headers = { authorization: "Bearer secret", "content-type": "application/json" };
    return requests.send(number, JSON.stringify({ url, headers, body }));
  };
  return { requests, told, send };
}

describe("a request", () => {
  test("is a POST with its headers, and its answer is told in the pieces in which it comes", async () => {
    const { told, send } = newRequests();
    let sent = "";
    serve = (request, response) => {
      request.on("data", (part) => (sent += part));
      request.on("end", async () => {
        assert.equal(request.headers.authorization, "Bearer secret");
        assert.equal(request.method, "POST");
        const bytes = Buffer.from("data: 🥾\n\n");
        response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "a=1" });
        response.write(bytes.subarray(0, 8)); // in the middle of a character
        await until(() => told.length === 2);
        response.end(bytes.subarray(8));
      });
    };
    await send(1, '{"model":"ü"}');
    assert.equal(sent, '{"model":"ü"}');
    assert.deepEqual(told, [
      [1, { status: 200, headers: { "content-type": "text/event-stream" } }],
      [1, { chunk: "data: " }],
      [1, { chunk: "🥾\n\n" }],
      [1, { end: true }],
    ]);
  });

  test("that is refused tells when to come again", async () => {
    serve = (_, response) => response.writeHead(429, { "retry-after": "7" }).end("busy");
    const { told, send } = newRequests();
    await send(1);
    assert.deepEqual(told, [
      [1, { status: 429, headers: { "retry-after": "7" } }],
      [1, { chunk: "busy" }],
      [1, { end: true }],
    ]);
  });

  test("follows no redirect, which would take the key along", async () => {
    const paths = /** @type {any[]} */ ([]);
    serve = (request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    };
    const { told, send } = newRequests();
    await send(1);
    assert.deepEqual(told, [[1, { error: "TypeError" }]]);
    assert.deepEqual(paths, ["/v1/chat/completions"]);
  });

  test("that breaks off says so, and not with what words", async () => {
    serve = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n", () => response.destroy());
    };
    const { told, send } = newRequests();
    await send(1);
    assert.deepEqual(Object.keys(told.at(-1)[1]), ["error"]);
    assert.ok(!JSON.stringify(told).includes("secret"));
  });

  test("that cannot be sent says so", async () => {
    const { requests, told } = newRequests();
    const headers = { authorization: "Bearer schlüssel→" };
    await requests.send(1, JSON.stringify({ url, headers, body: "" }));
    await requests.send(2, JSON.stringify({ url: "http://", headers: {}, body: "" }));
    assert.deepEqual(told, [
      [1, { error: "TypeError" }],
      [2, { error: "TypeError" }],
    ]);
  });

  test("that is given up is closed, and nothing more is told of it", async () => {
    let closed = 0;
    serve = (_, response) => {
      response.on("close", () => (closed += 1));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    };
    const { requests, told, send } = newRequests();
    const both = [send(1), send(2)];
    await until(() => told.length === 4);
    requests.abort(1);
    await until(() => closed === 1);
    requests.abortAll();
    await Promise.all(both);
    await until(() => closed === 2);
    requests.abort(1);
    assert.equal(told.length, 4);
  });
});
