/** What a storm keeps account of: what the page wishes for, and what became of every call. */

/** Every live hold, in the order in which they came; the newest of a name decides. */
export class Wish {
  #holds = new Map();

  hold(key, name, description, release) {
    this.#holds.set(key, { key, name, description, release });
  }

  /** Forget a hold, and give it. */
  release(key) {
    const hold = this.#holds.get(key);
    this.#holds.delete(key);
    return hold;
  }

  newest(name) {
    return [...this.#holds.values()].filter((hold) => hold.name === name).at(-1);
  }

  /** Those that JavaScript can release, or those that Python can. */
  holds({ ofPython }) {
    return [...this.#holds.values()].filter(({ release }) => (release === undefined) === ofPython);
  }

  /** What the browser should list. */
  listed(always) {
    const names = new Set([...this.#holds.values()].map(({ name }) => name));
    const held = [...names].map((name) => `${name}: ${this.newest(name).description}`);
    const others = always.filter((name) => !names.has(name)).map((name) => `${name}: ${name}`);
    return [...held, ...others].sort();
  }
}

/** Calls of agents, through the browser, and of the page's own client. */
export class Calls {
  /** By the call's number, how to abort it. */
  open = new Map();
  /** How often each outcome came. */
  outcomes = {};
  #entered = new Set();
  #all = [];

  /** Note when the browser enters the execute callback of a call: from then on it must not be lost. */
  watch(context) {
    const registerTool = context.registerTool.bind(context);
    context.registerTool = ({ execute, ...tool }, options) => {
      const entering = (input, client) => {
        this.#entered.add(input.call);
        return execute(input, client);
      };
      return registerTool({ ...tool, execute: entering }, options);
    };
  }

  byAgent(name, input) {
    this.#begin(input, async (numbered, signal) => {
      const tools = await document.modelContext.getTools();
      const tool = tools.find((each) => each.name === name);
      return (
        tool && JSON.parse(await document.modelContext.executeTool(tool, numbered, { signal }))
      );
    });
  }

  byPage(name, input) {
    this.#begin(input, (numbered, signal) => webtools.call(name, numbered, { signal }));
  }

  #begin(input, run) {
    const call = `call-${this.#all.length}`;
    const controller = new AbortController();
    this.open.set(call, () => controller.abort());
    const note = (outcome) => {
      this.open.delete(call);
      this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    };
    const failed = (error) => {
      if (controller.signal.aborted && error.name === "AbortError") return "aborted";
      return this.#entered.has(call) ? `lost: ${error.name}` : "gone";
    };
    const answer = run({ ...input, call }, controller.signal);
    this.#all.push(answer.then((given) => outcomeOf(given, call), failed).then(note));
  }

  /** Whether every call is settled. */
  get isQuiet() {
    return this.open.size === 0;
  }
}

function outcomeOf(answer, call) {
  if (!answer) return "not listed";
  if (answer.isError) return answer.structuredContent.error.code;
  const [{ text }] = answer.content;
  return text === `${call}: done` ? "done" : `the answer of another: ${call} got ${text}`;
}
