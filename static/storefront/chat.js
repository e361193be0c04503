import { summaryOf } from "./chat-words.js";
import { createSubject } from "./subject.js";

/**
 * The person's conversation with the shop's assistant, as the panel shows it. `assistant.py` does the work: it takes the
 * wishes, and tells what happens, by the functions that are exposed to it as "chat".
 *
 * @typedef {{id: number, kind: "person" | "note" | "problem", text: string}} Line
 * @typedef {{id: number, kind: "agent", text: string, state: "coming" | "whole" | "cut"}} Said
 * @typedef {{message: string, done?: number, total?: number}} Report
 *
 * @typedef {object} Card a call
 * @property {number} id
 * @property {"call"} kind
 * @property {string} key the run's own of the call
 * @property {string} tool
 * @property {string} input JSON text, as the model has written it
 * @property {"running" | "done" | "failed" | "stopped"} outcome
 * @property {number} startedAt
 * @property {number} [ms] once it is over
 * @property {string} [callId] the page's, once it has begun there
 * @property {Report} [report] the last one while it runs
 * @property {string} [summary] of the answer
 * @property {string} [answer] its text
 *
 * @typedef {Line | Said | Card} Entry
 * @typedef {{status: "idle" | "starting" | "working" | "stopping", entries: readonly Entry[]}} ChatSnapshot
 *
 * @typedef {Pick<import("../host.js").Host, "start" | "hold" | "call" | "expose" | "confirmWith" | "status"> & EventTarget} Webtools
 * @typedef {ReturnType<typeof createChat>} Chat
 */

const APP = "/assistant.py";
const DOOR = "open_chat";
const TEXT_SHOWN = 4000;

/** @type {Record<string, string>} */
const ENDS = {
  stopped: "Stopped. What was done until then stands.",
  max_turns: "It has stopped by itself: that was as often as it may think.",
  max_calls: "It has stopped by itself: that was as many calls as it may make.",
  max_seconds: "It has stopped by itself: that took too long.",
};

/**
 * @param {object} options
 * @param {import("./question-desk.js").QuestionDesk} options.questions
 * @param {import("./model-choice.js").ModelChoice} options.model
 * @param {() => number} [options.now] milliseconds
 */
export function createChat({ questions, model, now = () => performance.now() }) {
  const { getSnapshot, subscribe, set } = createSubject(
    /** @type {ChatSnapshot} */ ({ status: "idle", entries: [] }),
  );
  let ids = 0;
  /** @type {Webtools | null} */
  let webtools = null;
  let asksHere = false;
  /** Settles when Python listens. @type {Promise<void> | null} */
  let opened = null;
  /** Not taken yet. @type {string | null} */
  let wish = null;
  let isFirst = true;
  /** Python waits for a wish. @type {((wish: object) => void) | null} */
  let take = null;
  /** Python waits for a stop; true is one. @type {((isStop: boolean) => void) | null} */
  let endWait = null;

  /** @param {Partial<ChatSnapshot>} changes */
  const update = (changes) => set({ ...getSnapshot(), ...changes });

  /** @param {Entry} entry */
  const add = (entry) => update({ entries: [...getSnapshot().entries, entry] });

  /** @param {Line["kind"]} kind @param {string} text */
  const say = (kind, text) => add({ id: ++ids, kind, text });

  /** @param {(entry: Entry) => Entry | null} change null drops it */
  const changeEach = (change) =>
    update({ entries: getSnapshot().entries.flatMap((entry) => change(entry) ?? []) });

  /** @param {(card: Card) => boolean} fits @param {Partial<Card>} changes of the first running one that fits */
  function changeCard(fits, changes) {
    let isFound = false;
    changeEach((entry) => {
      if (isFound || entry.kind !== "call" || entry.outcome !== "running" || !fits(entry))
        return entry;
      isFound = true;
      return { ...entry, ...changes };
    });
  }

  /** @param {Said["state"]} state */
  const closeText = (state) =>
    changeEach((entry) =>
      entry.kind === "agent" && entry.state === "coming" ? { ...entry, state } : entry,
    );

  /** @param {string} piece */
  function addText(piece) {
    const last = getSnapshot().entries.at(-1);
    if (last?.kind !== "agent" || last.state !== "coming")
      add({ id: ++ids, kind: "agent", text: piece, state: "coming" });
    else changeEach((entry) => (entry === last ? { ...last, text: last.text + piece } : entry));
  }

  /** @param {string} reason what came of this turn is void @param {number} seconds until it is asked again */
  function retry(reason, seconds) {
    changeEach((entry) => (entry.kind === "agent" && entry.state === "coming" ? null : entry));
    const why = /[.!?]$/.test(reason) ? reason : `${reason}.`;
    const when = seconds >= 1 ? ` in ${Math.round(seconds)} s` : "";
    say("note", `${why} It is asked again${when}.`);
  }

  /** @param {string} outcome @param {string | null} [problem] */
  function end(outcome, problem) {
    if (getSnapshot().status === "idle") return;
    closeText(outcome === "stopped" ? "cut" : "whole");
    changeEach((entry) =>
      entry.kind === "call" && entry.outcome === "running"
        ? { ...entry, outcome: "stopped", report: undefined, ms: now() - entry.startedAt }
        : entry,
    );
    if (problem) say("problem", problem);
    else if (ENDS[outcome]) say("note", ENDS[outcome]);
    else if (getSnapshot().entries.at(-1)?.kind !== "agent") say("note", "It had nothing to say.");
    wish = null;
    endWait?.(false);
    endWait = null;
    update({ status: "idle" });
  }

  function deliver() {
    if (wish === null || take === null) return;
    take({ text: wish, isFirst, model: model.withKey() });
    [wish, take, isFirst] = [null, null, false];
    update({ status: "working" });
  }

  /**
   * Have Python listen. The tool that does it is held for this one call only: other agents have no use for it.
   *
   * @param {Webtools} library
   */
  async function open(library) {
    await library.start({ app: APP });
    const hold = library.hold(DOOR);
    const answer = await library.call(DOOR);
    hold.release();
    if (answer.isError) throw new Error(answer.content[0]?.text);
  }

  /** @type {Record<string, (event: any) => void>} what a run tells */
  const hear = {
    turn: () => closeText("whole"),
    text: ({ text }) => addText(text),
    retry: ({ reason, seconds }) => retry(reason, seconds),
    call({ id, iteration, tool, arguments: input }) {
      closeText("whole");
      const card = { key: `${iteration} ${id}`, tool, input, startedAt: now() };
      add({ id: ++ids, kind: "call", outcome: "running", ...card });
    },
    answer({ id, iteration, tool, answer }) {
      const { code } = answer.structuredContent?.error ?? {};
      const isStopped = answer.isError && code === "CANCELLED";
      const texts = answer.content.map((/** @type {{text?: string}} */ { text }) => text ?? "");
      const card = getSnapshot().entries.findLast(
        (entry) => entry.kind === "call" && entry.key === `${iteration} ${id}`,
      );
      changeCard((each) => each === card, {
        outcome: isStopped ? "stopped" : answer.isError ? "failed" : "done",
        ms: now() - (card?.kind === "call" ? card.startedAt : now()),
        report: undefined,
        summary: summaryOf(tool, answer),
        answer: texts.join("\n").slice(0, TEXT_SHOWN),
      });
    },
  };

  /** What Python may use. */
  const functions = {
    /** @returns {Promise<object>} `{text, isFirst, model}`, when there is a wish */
    next: () =>
      new Promise((resolve) => {
        take = resolve;
        deliver();
      }),

    /** @param {{event: string}} event of a run */
    show(event) {
      if (getSnapshot().status !== "idle") hear[event.event]?.(event);
    },

    /** @returns {Promise<boolean>} true when the person stops it, false when it ends without */
    stopped: () =>
      new Promise((resolve) => {
        endWait = resolve;
        const { status } = getSnapshot();
        if (status !== "working") resolve(status === "stopping"); // Python comes late
      }),

    /** @param {{outcome: string, problem: string | null}} result */
    end: ({ outcome, problem }) => end(outcome, problem),
  };

  return {
    getSnapshot,
    subscribe,
    questions,
    model,

    /** @param {Webtools} library @returns {() => void} stops listening */
    connect(library) {
      webtools = library;
      const listening = new AbortController();
      /** @param {string} type @param {(detail: any) => void} heard */
      const on = (type, heard) =>
        library.addEventListener(
          type,
          (event) => heard(/** @type {CustomEvent} */ (event).detail ?? {}),
          { signal: listening.signal },
        );
      library.expose("chat", functions);
      // a call of the run begins right after the run has told of it
      on("callstart", ({ tool, callId }) =>
        changeCard((card) => card.tool === tool && card.callId === undefined, { callId }),
      );
      on("callprogress", ({ callId, message, done, total }) =>
        changeCard((card) => card.callId === callId, { report: { message, done, total } }),
      );
      on("status", ({ reason }) => {
        if (library.status !== "failed") return;
        opened = null;
        end("failed", reason ? `${reason}` : "Python has failed.");
      });
      if (asksHere) library.confirmWith(questions.ask);
      return () => listening.abort();
    },

    /** @param {boolean} isHere whether the chat can be seen, so that it asks what else the library's dialog asks */
    askHere(isHere) {
      asksHere = isHere;
      webtools?.confirmWith(isHere ? questions.ask : null);
    },

    /** @param {string} text @returns {boolean} whether it is taken: one wish at a time */
    send(text) {
      if (getSnapshot().status !== "idle" || !text.trim()) return false;
      say("person", text.trim());
      update({ status: "starting" });
      wish = text.trim();
      if (!webtools) {
        end("failed", "The assistant needs webtools, which this page could not load.");
        return true;
      }
      opened ??= open(webtools);
      opened.then(deliver, (problem) => {
        opened = null;
        end("failed", `The assistant cannot start: ${problem.message}`);
      });
      return true;
    },

    /** Ends with what there is. */
    stop() {
      const { status } = getSnapshot();
      if (status === "starting") end("stopped");
      if (status !== "working") return;
      update({ status: "stopping" });
      endWait?.(true);
    },

    /** Forget what was said; nothing happens while it works. */
    clear() {
      if (getSnapshot().status !== "idle") return;
      isFirst = true;
      update({ entries: [] });
    },
  };
}
