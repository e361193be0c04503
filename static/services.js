/**
 * What the page does for Python beside its tools and their calls: timers, requests, questions to the person, locks,
 * storage, and what the page exposes.
 */
import { callStorage } from "./artifacts.js";
import { Credentials } from "./credentials.js";
import { Endings } from "./endings.js";
import { callExposed } from "./exposed.js";
import { MAX_DELAY_MS } from "./limit.js";
import { OwnCalls } from "./own-calls.js";
import { Ownerships } from "./ownership.js";
import { Readings } from "./readings.js";
import { Requests } from "./requests.js";
import { untilSettled } from "./settled.js";
import { readStored, writeStored } from "./stored.js";
import { describe } from "./wire.js";

/** @typedef {import("./python.js").Python} Python */

export class Services {
  /** Present while Python is up. @type {Python | undefined} */
  #python;
  /** @type {Map<number, ReturnType<typeof setTimeout>>} */
  #timers = new Map();
  /** What Python asks the person. @type {Map<number, AbortController>} */
  #questions = new Map();
  /** What Python makes tools of. @type {Map<number, import("./holds.js").Hold>} */
  #forms = new Map();
  #ownerships = new Ownerships((name, epoch, reason) =>
    this.#python?.ownership(name, epoch, reason),
  );
  #readings = new Readings();
  #endings = new Endings();
  #credentials = new Credentials((...outcome) => this.#python?.provided(...outcome));
  #requests = new Requests((number, text) => this.#python?.fetched(number, text));
  #ownCalls;
  #exposed;
  #formTools;
  #confirmations;

  /**
   * @param {object} page
   * @param {import("./exposed.js").Exposed} page.exposed what Python may use of the page
   * @param {import("./form-tools.js").FormTools} page.forms
   * @param {import("./confirm.js").Confirmations} page.confirmations asks the person
   * @param {ConstructorParameters<typeof OwnCalls>[0]} page.call calls a tool by its name
   */
  constructor({ exposed, forms, confirmations, call }) {
    this.#exposed = exposed;
    this.#formTools = forms;
    this.#confirmations = confirmations;
    this.#ownCalls = new OwnCalls(call);
  }

  /** Whether the page has credentials to give. */
  get hasCredentials() {
    return this.#credentials.isProvided;
  }

  /** @param {Python} python which is served from now on */
  serve(python) {
    this.#python = python;
  }

  /** Something that Python has asked for is there. @param {number} call @param {string} answer */
  answer(call, answer) {
    this.#python?.pageAnswered(call, answer);
  }

  /** @param {import("./credentials.js").Provide} [provide] the page's way to give credentials; none: it has none */
  provideWith(provide) {
    this.#credentials.provideWith(provide);
    this.#python?.provide(this.#credentials.isProvided);
  }

  /**
   * A run or a session is over.
   *
   * @param {"run" | "session"} scope
   * @param {string} id
   * @param {import("./endings.js").EndOptions} [options]
   */
  end(scope, id, options) {
    return this.#endings.end(this.#python?.end, scope, id, options);
  }

  /**
   * Have Python give an artifact of the page's own.
   *
   * @param {string} ref
   * @returns {Promise<string>} JSON text, as `opened` takes it
   */
  readArtifact(ref) {
    return this.#readings.read(this.#python?.readArtifact, ref);
  }

  /** Resolves when the browser has decided who owns what. */
  decided() {
    return this.#ownerships.decided();
  }

  /** The page is being left. */
  leave() {
    this.#ownerships.leave();
  }

  /** The page has come back from the back-forward cache. */
  restore() {
    this.#ownerships.restore();
  }

  /** Python has died: what it has asked for is over, and what was asked of it. */
  close() {
    this.#python = undefined;
    for (const timer of [...this.#timers.keys()]) this.clearTimer(timer);
    for (const question of [...this.#questions.keys()]) this.withdraw(question);
    this.#ownerships.close();
    this.#credentials.withdrawAll();
    this.#endings.endAll();
    this.#requests.abortAll();
    this.#readings.endAll();
  }

  // What Python calls (port.js). Arrow functions, since Python calls them without a `this`.

  setTimer = (/** @type {number} */ timer, /** @type {number} */ delayMs) => {
    const now = Math.min(delayMs, MAX_DELAY_MS);
    const fire = () => {
      this.#timers.delete(timer);
      if (now < delayMs) this.setTimer(timer, delayMs - now);
      else this.#python?.timer(timer);
    };
    this.#timers.set(timer, setTimeout(fire, now));
  };

  clearTimer = (/** @type {number} */ timer) => {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  };

  callPage = (
    /** @type {number} */ call,
    /** @type {string} */ name,
    /** @type {string} */ functionName,
    /** @type {string} */ text,
  ) => {
    const answer = callExposed(this.#exposed, name, functionName, text);
    if (typeof answer === "string") return answer;
    answer.then((later) => this.answer(call, later));
    return undefined;
  };

  holdForm = (
    /** @type {number} */ number,
    /** @type {string} */ selector,
    /** @type {string} */ options,
  ) => {
    try {
      this.#forms.set(number, this.#formTools.hold(selector, JSON.parse(options)));
      return undefined;
    } catch (error) {
      return describe(error);
    }
  };

  releaseForm = (/** @type {number} */ number) => {
    this.#forms.get(number)?.release();
    this.#forms.delete(number);
  };

  callArtifacts = (
    /** @type {number} */ call,
    /** @type {string} */ verb,
    /** @type {string} */ text,
  ) => {
    callStorage(verb, text).then((answer) => this.answer(call, answer));
  };

  callTool = (
    /** @type {number} */ call,
    /** @type {string} */ name,
    /** @type {string} */ text,
    /** @type {string} */ facts,
  ) => {
    this.#ownCalls.make(call, name, text, facts).then((answer) => this.answer(call, answer));
  };

  abortTool = (/** @type {number} */ call) => this.#ownCalls.abort(call);

  untilSettled = (/** @type {number} */ call) => {
    untilSettled(document.modelContext).then(() => this.answer(call, "null"));
  };

  fetch = (/** @type {number} */ request, /** @type {string} */ text) => {
    this.#requests.send(request, text);
  };

  abortFetch = (/** @type {number} */ request) => this.#requests.abort(request);

  artifactRead = (/** @type {number} */ reading, /** @type {string} */ artifact) =>
    this.#readings.done(reading, artifact);

  readStored = readStored;

  writeStored = writeStored;

  confirm = (/** @type {number} */ question, /** @type {string} */ text) => {
    const controller = new AbortController();
    this.#questions.set(question, controller);
    this.#confirmations.ask(JSON.parse(text), controller.signal).then((outcome) => {
      if (this.#questions.delete(question)) this.#python?.confirmed(question, outcome);
    });
  };

  withdraw = (/** @type {number} */ question) => {
    const controller = this.#questions.get(question);
    this.#questions.delete(question);
    controller?.abort("over");
  };

  askOwnership = (/** @type {string} */ name) => this.#ownerships.ask(name);

  takeOwnership = (/** @type {string} */ name) => this.#ownerships.takeOver(name);

  releaseOwnership = (/** @type {string} */ name) => this.#ownerships.release(name);

  ownedEpoch = (/** @type {string} */ name) => this.#ownerships.epoch(name);

  isOwnershipGone = (/** @type {string} */ name) => this.#ownerships.isGone(name);

  requestCredential = (/** @type {number} */ number, /** @type {string} */ text) => {
    this.#credentials.request(number, text);
  };

  withdrawCredential = (/** @type {number} */ number) => this.#credentials.withdraw(number);

  ended = (/** @type {number} */ number) => this.#endings.ended(number);

  log = (/** @type {string} */ level, /** @type {string} */ text) => {
    console[level === "error" ? "error" : "warn"](text);
  };
}
