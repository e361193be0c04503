/**
 * Made-up calls, as `e2e/test_calls.py` runs them in a page: each is the same for the same seed.
 *
 * Only what would be a fault is told: an answer that is none, a call that rejects, an input that shows no more.
 */
(() => {
  const TEXTS = [
    ..."__proto__ constructor toString hasOwnProperty then toJSON length name".split(" "),
    ...[
      "<img src=x onerror=alert(1)>",
      "\u202egnp.exe",
      "\ud800",
      "\0",
      "\u2028",
      "{{7*7}}",
      "%s%n",
      "../x",
      "",
    ],
    ...["靴 👟", "a".repeat(5000), " text ", "Text", "text\n", "*", "ｔｅｘｔ"],
  ];
  const TOOLS = [
    "text",
    "numbers",
    "order",
    "nested",
    "find",
    "returned",
    "long",
    "deep",
    "use",
    "increase",
  ];

  /** A source of numbers from 0 to 1 that begins anew with each seed. */
  function random(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x9e3779b9) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
    };
  }

  class Maker {
    constructor(seed) {
      this.next = random(seed);
    }

    below(count) {
      return Math.floor(this.next() * count);
    }

    one(list) {
      return list[this.below(list.length)];
    }

    text() {
      if (this.next() < 0.5) return this.one(TEXTS);
      return Array.from({ length: this.below(12) }, () =>
        String.fromCharCode(this.below(0x10000)),
      ).join("");
    }

    number() {
      return this.one([
        0,
        -0,
        1,
        -1,
        42,
        0.1,
        1e308,
        2 ** 53,
        2 ** 63,
        -(2 ** 31),
        this.next() * 1e6,
      ]);
    }

    /** What JSON can hold. */
    json(depth = 3) {
      const kind = this.below(depth > 0 ? 7 : 4);
      if (kind < 4) return this.one([null, true, this.number(), this.text(), this.text()]);
      if (kind === 4) return Array.from({ length: this.below(4) }, () => this.json(depth - 1));
      return this.object(() => this.json(depth - 1));
    }

    object(value) {
      const made = {};
      for (let left = this.below(4); left > 0; left -= 1) {
        const key =
          this.next() < 0.4
            ? this.one(["value", "values", "coupon", "title", "data", "sku", "by"])
            : this.text();
        Object.defineProperty(made, key, {
          value: value(),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return made;
    }

    /** What JSON cannot hold, or only in another form. */
    odd() {
      const loop = {};
      loop.self = loop;
      return this.one([
        undefined,
        NaN,
        Infinity,
        10n,
        Symbol("s"),
        () => 1,
        new Date(NaN),
        new Date(0),
        /x/,
        new Map([[1, 2]]),
        new Uint8Array(3),
        loop,
        document.body,
        window,
        Object.create(null),
        new Proxy({}, {}),
        Promise.resolve(1),
        {
          toJSON: () => {
            throw new Error("toJSON");
          },
        },
        {
          get value() {
            throw new Error("getter");
          },
        },
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("trap");
            },
          },
        ),
        { then: (done) => done(1) },
        { __proto__: { value: "inherited" } },
        JSON.parse("[".repeat(3000) + "]".repeat(3000)),
        new Error("made up"),
        new Proxy(() => {}, {
          get: () => {
            throw 1;
          },
        }),
        "x".repeat(300_000),
      ]);
    }

    any() {
      return this.next() < 0.35 ? this.odd() : this.json();
    }

    input() {
      return this.next() < 0.2
        ? this.odd()
        : this.next() < 0.8
          ? this.object(() => this.any())
          : this.any();
    }
  }

  const EFFECTS = ["none", "unknown", "partial", "done"];

  /** Why it is no answer; undefined where it is one. */
  function faultOf(answer) {
    const text = JSON.stringify(answer);
    const { content, isError, structuredContent, ...rest } = JSON.parse(text);
    if (Object.keys(rest).length > 0) return `it has more: ${text}`;
    if (
      !Array.isArray(content) ||
      content.some(({ type, text }) => type !== "text" || typeof text !== "string")
    )
      return `its content is none: ${text}`;
    if (!isError) return undefined;
    const { code, message, effect, retryable } = structuredContent?.error ?? {};
    const isWhole =
      code && typeof code === "string" && typeof message === "string" && EFFECTS.includes(effect);
    return isWhole && typeof retryable === "boolean" ? undefined : `its error is none: ${text}`;
  }

  /** Call a tool of Python's as the page's own client. */
  async function call(maker) {
    const name = maker.next() < 0.9 ? maker.one(TOOLS) : maker.any();
    const options = maker.next() < 0.8 ? undefined : maker.object(() => maker.any());
    const rest =
      maker.next() < 0.1
        ? {}
        : { sessionId: maker.any(), turnId: maker.any(), identity: maker.any() };
    return faultOf(await webtools.call(name, maker.input(), options && { ...rest, ...options }));
  }

  /** Call one as the browser does: what is no input of the standard's is refused by the browser itself. */
  async function execute(maker) {
    const tools = await document.modelContext.getTools();
    const name = maker.one(TOOLS);
    const tool = tools.find((each) => each.name === name);
    const input = maker.object(() => maker.json());
    return faultOf(JSON.parse(await document.modelContext.executeTool(tool, input)));
  }

  /** Define a tool of these words, and call it: it gives whatever there is. */
  async function define(maker, number) {
    const isNamed = maker.next() < 0.7;
    const definition = {
      name: isNamed ? `made_${number}` : maker.any(),
      description: maker.next() < 0.7 ? "Made up." : maker.any(),
      ...(maker.next() < 0.3 ? { title: maker.any() } : {}),
      ...(maker.next() < 0.3 ? { inputSchema: maker.any() } : {}),
      ...(maker.next() < 0.3 ? { annotations: maker.any() } : {}),
    };
    const result = maker.any();
    const isThrown = maker.next() < 0.2;
    const handler = () => {
      if (isThrown) throw result;
      return result;
    };
    let hold;
    try {
      hold = webtools.define(definition, handler);
    } catch (error) {
      // or what the definition itself has thrown
      const isTold = error instanceof TypeError || /^(getter|trap|toJSON)$/.test(error?.message);
      return isTold ? undefined : `define threw ${error}`;
    }
    const fault = faultOf(await webtools.call(definition.name, maker.input()));
    hold.release();
    return fault;
  }

  /** Give a page's function to Python, and what it gives back. */
  async function expose(maker) {
    const result = maker.any();
    webtools.expose("made", {
      go: () => {
        if (maker.next() < 0.2) throw result;
        return result;
      },
    });
    return faultOf(
      await webtools.call("use", { function: "go", arguments: [maker.json()], place: "made" }),
    );
  }

  const WAYS = [call, call, execute, define, expose];

  /**
   * @param {number} seed of the first
   * @param {number} count
   * @returns {Promise<string[]>} what is wrong, each with its seed
   */
  return async ([seed, count]) => {
    const faults = [];
    const one = async (each) => {
      const maker = new Maker(each);
      const way = WAYS[each % WAYS.length];
      try {
        const fault = await way(maker, each);
        if (fault) faults.push(`seed ${each}, ${way.name}: ${fault}`.slice(0, 500));
      } catch (error) {
        faults.push(
          `seed ${each}, ${way.name}: it rejected with ${error?.stack ?? error}`.slice(0, 700),
        );
      }
    };
    for (let done = 0; done < count; done += 25) {
      const seeds = Array.from(
        { length: Math.min(25, count - done) },
        (_, index) => seed + done + index,
      );
      await Promise.all(seeds.map(one));
    }
    if (Object.keys(Object.prototype).length > 0)
      faults.push("all objects have inherited something");
    return faults;
  };
})();
