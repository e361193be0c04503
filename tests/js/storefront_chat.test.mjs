import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createChat } from "../../static/storefront/chat.js";
import { summaryOf, titleOf } from "../../static/storefront/chat-words.js";
import { createModelChoice, MODEL_KEY } from "../../static/storefront/model-choice.js";
import {
  ARMING_MS,
  createQuestionDesk,
  isConsent,
  readableArguments,
} from "../../static/storefront/question-desk.js";
import { memory, some } from "./storefront.mjs";

/** @typedef {import("../../static/storefront/chat.js").Webtools} Webtools */

const DONE = { content: [{ type: "text", text: "fine" }] };
const RUN = { run_id: "r", iteration: 1 };

/** @param {string} code */
const failed = (code) => ({
  isError: true,
  content: [{ type: "text", text: "no" }],
  structuredContent: { error: { code, message: `It is ${code}.` } },
});

/** Lets promises that are settled be heard. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A chat, what the library knows of it, and Python's side of it. */
function opened({ storage = memory() } = {}) {
  const clock = { ms: 0 };
  const questions = createQuestionDesk();
  const model = createModelChoice(storage);
  const chat = createChat({ questions, model, now: () => clock.ms });
  /** @type {string[]} */
  const did = [];
  /** @type {Record<string, any>} */
  let python = {};
  const webtools = Object.assign(new EventTarget(), {
    status: "ready",
    asks: /** @type {unknown} */ (undefined),
    /** @type {(options: {app: string}) => Promise<void>} */
    start: async ({ app }) => void did.push(`start ${app}`),
    /** @param {string} name */
    hold(name) {
      did.push(`hold ${name}`);
      return { release: () => void did.push("release"), status: "registered" };
    },
    /** @param {string} name */
    async call(name) {
      did.push(`call ${name}`);
      return DONE;
    },
    /** @param {string} name @param {Record<string, any>} functions */
    expose(name, functions) {
      assert.equal(name, "chat");
      python = functions;
    },
    /** @param {unknown} ask */
    confirmWith(ask) {
      this.asks = ask;
    },
  });
  const disconnect = chat.connect(/** @type {any} */ (webtools));
  /** @param {string} type @param {object} detail */
  const tell = (type, detail) => webtools.dispatchEvent(Object.assign(new Event(type), { detail }));
  /** @param {string} event @param {object} [more] */
  const show = (event, more) => python.show({ event, ...RUN, ...more });
  const entries = () => chat.getSnapshot().entries;
  const last = () => /** @type {any} */ (some(entries().at(-1)));

  /** Send a wish, and take it as Python does. @param {string} [text] */
  async function work(text = "Buy boots.") {
    const taken = python.next();
    assert.equal(chat.send(text), true);
    return taken;
  }
  const all = {
    chat,
    questions,
    model,
    webtools,
    did,
    clock,
    entries,
    last,
    tell,
    show,
    work,
    disconnect,
  };
  return { ...all, python: () => python };
}

describe("a chat", () => {
  test("hands a wish over, and holds the tool that has Python listen for that call only", async () => {
    const { chat, did, work } = opened();
    assert.deepEqual(did, []);
    const wish = await work("  Buy boots.  ");
    assert.deepEqual(wish, { text: "Buy boots.", isFirst: true, model: null });
    assert.deepEqual(did, ["start /assistant.py", "hold open_chat", "call open_chat", "release"]);
    assert.equal(chat.getSnapshot().status, "working");
  });

  test("has Python listen once, and says which wish begins a conversation", async () => {
    const { chat, did, python, work } = opened();
    await work();
    python().end({ outcome: "done", problem: null });
    assert.equal((await work()).isFirst, false);
    python().end({ outcome: "done", problem: null });
    chat.clear();
    assert.deepEqual(chat.getSnapshot().entries, []);
    assert.equal((await work()).isFirst, true);
    assert.equal(did.length, 4);
  });

  test("takes one wish at a time, and no empty one", async () => {
    const { chat, entries, work } = opened();
    assert.equal(chat.send("  "), false);
    await work();
    assert.equal(chat.send("And shoes."), false);
    chat.clear();
    assert.equal(entries().length, 1);
  });

  test("shows text as it comes, and what comes of another turn by itself", async () => {
    const { show, work, entries, python } = opened();
    await work();
    show("turn");
    for (const text of ["Let me ", "look."]) show("text", { text });
    show("turn");
    show("text", { text: "Here." });
    const said = () =>
      entries()
        .slice(1)
        .map((entry) => entry.kind === "agent" && [entry.text, entry.state]);
    assert.deepEqual(said(), [
      ["Let me look.", "whole"],
      ["Here.", "coming"],
    ]);
    python().end({ outcome: "done", problem: null });
    assert.deepEqual(said(), [
      ["Let me look.", "whole"],
      ["Here.", "whole"],
    ]);
  });

  test("says when a model is asked again, whatever its server has said", async () => {
    const { show, work, last } = opened();
    await work();
    show("retry", { reason: "It answered 429: slow down", seconds: 0.5 });
    assert.equal(last().text, "It answered 429: slow down. It is asked again.");
    show("retry", { reason: "It answered 429.", seconds: 20 });
    assert.equal(last().text, "It answered 429. It is asked again in 20 s.");
  });

  test("takes back what was said in a turn that is void", async () => {
    const { show, work, entries } = opened();
    await work();
    show("text", { text: "Once" });
    show("retry", { reason: "It broke off.", seconds: 1 });
    show("text", { text: "Once upon" });
    assert.deepEqual(
      entries().map((entry) => "text" in entry && entry.text),
      ["Buy boots.", "It broke off. It is asked again in 1 s.", "Once upon"],
    );
  });

  test("shows a call with its progress, its answer and how long it took", async () => {
    const { show, tell, work, last, clock } = opened();
    await work();
    show("call", { id: "c1", tool: "place_order", arguments: '{"name":"Ada"}' });
    assert.equal(last().outcome, "running");
    tell("callstart", { callId: "p7", tool: "place_order" });
    tell("callprogress", {
      callId: "p7",
      tool: "place_order",
      message: "Booking",
      done: 1,
      total: 3,
    });
    assert.deepEqual(last().report, { message: "Booking", done: 1, total: 3 });
    clock.ms = 250;
    show("answer", { id: "c1", tool: "place_order", answer: DONE });
    const { outcome, ms, report, summary, answer, input } = last();
    assert.deepEqual([outcome, ms, report, summary], ["done", 250, undefined, "fine"]);
    assert.deepEqual([answer, input], ["fine", '{"name":"Ada"}']);
  });

  test("gives the progress of another agent's call to no call of its own", async () => {
    const { show, tell, work, last } = opened();
    tell("callstart", { callId: "other", tool: "search" });
    await work();
    show("call", { id: "c1", tool: "search", arguments: "{}" });
    tell("callstart", { callId: "mine", tool: "search" });
    tell("callstart", { callId: "later", tool: "search" });
    for (const callId of ["other", "later"]) tell("callprogress", { callId, message: "Half" });
    assert.equal(last().report, undefined);
    tell("callprogress", { callId: "mine", message: "Nearly" });
    assert.equal(last().report.message, "Nearly");
  });

  test("tells calls of several turns apart that have one id", async () => {
    const { show, work, entries, python } = opened();
    await work();
    for (const iteration of [1, 2]) {
      python().show({ event: "call", iteration, id: "c", tool: "list", arguments: "{}" });
      const answer = iteration === 1 ? DONE : failed("GONE");
      python().show({ event: "answer", iteration, id: "c", tool: "list", answer });
    }
    show("turn");
    assert.deepEqual(
      entries()
        .slice(1)
        .map((entry) => entry.kind === "call" && [entry.outcome, entry.summary]),
      [
        ["done", "fine"],
        ["failed", "It is GONE."],
      ],
    );
  });

  test("stops, and keeps what there is, labelled", async () => {
    const { chat, show, work, entries, python } = opened();
    await work();
    const stopped = python().stopped();
    show("text", { text: "Let" });
    show("call", { id: "c1", tool: "pay", arguments: "{}" });
    chat.stop();
    assert.equal(chat.getSnapshot().status, "stopping");
    assert.equal(await stopped, true);
    show("answer", { id: "c1", tool: "pay", answer: failed("CANCELLED") });
    show("text", { text: "Me" });
    python().end({ outcome: "stopped", problem: null });
    const [, said, call, cut, note] = /** @type {any[]} */ (entries());
    assert.deepEqual([said.state, call.outcome, cut.state], ["whole", "stopped", "cut"]);
    assert.match(note.text, /^Stopped/);
    assert.equal(chat.getSnapshot().status, "idle");
  });

  test("stops also where Python asks for it later, and before Python has begun", async () => {
    const { chat, work, python, last } = opened();
    await work();
    chat.stop();
    assert.equal(await python().stopped(), true);
    python().end({ outcome: "stopped", problem: null });
    chat.send("Now.");
    chat.stop();
    assert.equal(chat.getSnapshot().status, "idle");
    assert.match(last().text, /^Stopped/);
    const taken = python().next();
    await turn();
    chat.send("Really.");
    assert.equal((await taken).text, "Really.");
  });

  test("tells Python that it ended without a stop", async () => {
    const { work, python } = opened();
    await work();
    const stopped = python().stopped();
    python().end({ outcome: "done", problem: null });
    assert.equal(await stopped, false);
    assert.equal(await python().stopped(), false);
  });

  test("says why it failed, that a limit was reached, or that nothing was said", async () => {
    const { work, python, last, show } = opened();
    for (const [outcome, problem, kind, text] of [
      ["failed", "The server is busy.", "problem", /^The server is busy[.]$/],
      ["max_calls", null, "note", /as many calls/],
      ["done", null, "note", /nothing to say/],
    ]) {
      await work();
      show("turn");
      python().end({ outcome, problem });
      assert.equal(last().kind, kind);
      assert.match(last().text, /** @type {RegExp} */ (text));
    }
  });

  test("says that it cannot start, and tries again with the next wish", async () => {
    const { chat, webtools, last, work } = opened();
    webtools.start = async () => {
      throw new Error("There is no network.");
    };
    chat.send("Buy boots.");
    await turn();
    assert.match(last().text, /cannot start: There is no network[.]/);
    webtools.start = async () => {};
    assert.equal((await work()).isFirst, true);
  });

  test("ends when Python dies", async () => {
    const { chat, webtools, tell, work, last, did } = opened();
    await work();
    webtools.status = "failed";
    tell("status", { status: "failed", reason: "Out of memory." });
    assert.equal(chat.getSnapshot().status, "idle");
    assert.equal(last().text, "Out of memory.");
    chat.send("Again.");
    await turn();
    assert.equal(did.filter((each) => each.startsWith("start")).length, 2);
  });

  test("says that there is no library", () => {
    const chat = createChat({ questions: createQuestionDesk(), model: createModelChoice(null) });
    chat.send("Hello.");
    assert.match(/** @type {any} */ (chat.getSnapshot().entries.at(-1)).text, /could not load/);
    assert.equal(chat.getSnapshot().status, "idle");
  });

  test("hears nothing after it is disconnected, nor once it is idle", async () => {
    const { disconnect, show, tell, work, entries, python, last } = opened();
    await work();
    show("call", { id: "c1", tool: "pay", arguments: "{}" });
    disconnect();
    tell("callstart", { callId: "p", tool: "pay" });
    assert.equal(last().callId, undefined);
    python().end({ outcome: "stopped", problem: null });
    const before = entries();
    show("text", { text: "Late" });
    assert.equal(entries(), before);
  });

  test("asks in place of the library's dialog only while it can be seen", () => {
    const { chat, questions, webtools } = opened();
    assert.equal(webtools.asks, undefined);
    chat.askHere(true);
    assert.equal(webtools.asks, questions.ask);
    chat.askHere(false);
    assert.equal(webtools.asks, null);
  });
});

describe("the desk of questions", () => {
  const question = { tool: "pay", title: "Pay", message: "Pay 5 euros?", arguments: { to: "Ada" } };

  test("gives the person's answer, and is empty then", async () => {
    const desk = createQuestionDesk();
    for (const isAllowed of [true, false]) {
      const asked = desk.ask({ ...question, signal: new AbortController().signal });
      some(desk.getSnapshot()).answer(isAllowed);
      assert.equal(await asked, isAllowed);
      assert.equal(desk.getSnapshot(), null);
    }
  });

  test("takes a question back, and no late answer for the next one", async () => {
    const desk = createQuestionDesk();
    const first = new AbortController();
    const asked = desk.ask({ ...question, signal: first.signal });
    const { answer } = some(desk.getSnapshot());
    first.abort("timeout");
    assert.equal(await asked, false);
    const next = desk.ask({ ...question, signal: new AbortController().signal });
    answer(true);
    assert.equal(some(desk.getSnapshot()).id, 2);
    some(desk.getSnapshot()).answer(false);
    assert.equal(await next, false);
    assert.equal(await desk.ask({ ...question, signal: first.signal }), false);
  });

  test("takes a click for a yes if a person made it, half a second after the question was seen", () => {
    const click = { isTrusted: true, timeStamp: 1000 + ARMING_MS };
    assert.equal(isConsent(click, 1000), true);
    assert.equal(isConsent({ ...click, isTrusted: false }, 1000), false);
    assert.equal(isConsent(click, 1001), false);
    assert.equal(isConsent(click, Infinity), false);
  });

  test("hides nothing in title and message, and leaves what prose needs", () => {
    const desk = createQuestionDesk();
    const { signal } = new AbortController();
    desk.ask({ ...question, title: "Pay\u202e", message: "\u2068Now\u2069?\u200b\n", signal });
    const { title, message } = some(desk.getSnapshot());
    assert.equal(title, "Pay\\u202e");
    assert.equal(message, "\u2068Now\u2069?\\u200b\n");
    desk.ask({ ...question, tool: "pay\u202e", title: "", signal });
    assert.equal(some(desk.getSnapshot()).title, "pay\\u202e");
  });

  test("shows arguments as they are, and what would turn a text round", () => {
    assert.deepEqual(
      readableArguments({ "t\u200bo": "a\u202eb", sizes: [1, "\u2066"], none: null }),
      [
        ["t\\u200bo", "a\\u202eb"],
        ["sizes", '[1,"\\u2066"]'],
        ["none", "null"],
      ],
    );
    assert.deepEqual(readableArguments("text"), []);
  });
});

describe("the choice of a model", () => {
  test("is the scripted planner until there is an endpoint, and outlives a reload without its key", () => {
    const storage = memory();
    const choice = createModelChoice(storage);
    assert.equal(choice.withKey(), null);
    choice.choose({ url: "/v1", name: "small" }, " sk-secret ");
    assert.deepEqual(choice.withKey(), { url: "/v1", name: "small", key: "sk-secret" });
    assert.deepEqual(choice.getSnapshot(), {
      endpoint: { url: "/v1", name: "small" },
      hasKey: true,
    });
    assert.doesNotMatch(some(storage.getItem(MODEL_KEY)), /secret/);
    const again = createModelChoice(storage);
    assert.deepEqual(again.withKey(), { url: "/v1", name: "small", key: null });
    again.choose(null);
    assert.equal(createModelChoice(storage).withKey(), null);
  });

  test("does without storage, and with what is not its own in it", () => {
    const choice = createModelChoice(null);
    choice.choose({ url: "/v1", name: "small" });
    assert.deepEqual(choice.withKey(), { url: "/v1", name: "small", key: null });
    for (const text of ["{", "7", '{"url":1}']) {
      assert.equal(createModelChoice({ getItem: () => text, setItem() {} }).withKey(), null);
    }
  });
});

describe("the words of a chat", () => {
  test("name a tool for people", () => assert.equal(titleOf("add_to_cart"), "Add to cart"));

  test("say in a line what matters of an answer", () => {
    const cart = { lines: [{ quantity: 2 }, { quantity: 1 }], total_cents: 4900 };
    const found = { total: 2, products: [{ name: "Mug" }, { name: "Pot" }] };
    const answer = (/** @type {object} */ structuredContent) => ({ ...DONE, structuredContent });
    assert.equal(summaryOf("list_cart", answer(cart)), "3 pieces, €49.00");
    assert.equal(summaryOf("search_products", answer(found)), "2 found: Mug, Pot");
    assert.equal(summaryOf("search_products", answer({})), "fine");
    assert.equal(summaryOf("zoom_map", DONE), "fine");
    assert.equal(summaryOf("zoom_map", failed("GONE")), "It is GONE.");
    const told = { content: [{ type: "text", text: "They see it. Go on with pay." }] };
    assert.equal(summaryOf("show_page", told), "They see it.");
    const long = { content: [{ type: "text", text: "word ".repeat(100) }] };
    assert.ok(summaryOf("zoom_map", long).length <= 121);
  });
});
