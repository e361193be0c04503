/** Forms that are tools. A person's part is played by scripts here, and by Playwright in `e2e/test_forms.py`. */

import { equal, outcomeOf, rejects, same, throws, toolOf } from "./model_context_asserts.mjs";
import { COMMON, OWN } from "./model_context_form_schemas.mjs";

/** @type {any} */
const { modelContext } = document;
const SUBMIT = "<button>Send</button>";
const PATIENCE_MS = 5000;
const never = () => new Promise(() => {});

export const formChecks = {
  /** A form comes, is listed, and goes. */
  formListed: () =>
    withForm("<input name=a>", { tooltitle: "T" }, async (form) => {
      const { window: view, ...tool } = await listed();
      same(tool, {
        name: "form",
        title: "T",
        description: "d",
        inputSchema: { type: "object", properties: { a: { type: "string" } }, required: [] },
        origin,
      });
      equal(view, window);
      const gone = nextChange();
      form.remove();
      await gone;
      equal(await listed(), undefined);
    }),

  async formsNotListed() {
    for (const attributes of [
      { toolname: "" },
      { toolname: "a b" },
      { tooldescription: undefined },
      { toolname: undefined },
    ]) {
      await withForm("", attributes, async () => same(await modelContext.getTools(), []));
    }
    await withForm("", { tooldescription: "" }, async () =>
      equal((await listed()).description, ""),
    );
  },

  formSchemas: () => checkSchemas(COMMON),

  async ownFormSchemas() {
    if (!customElements.get("x-field")) customElements.define("x-field", Field);
    for (const each of OWN) await checkSchemas([each]);
  },

  fills: () =>
    withForm(
      "<input name=a><input name=n type=number><input name=c type=checkbox><input name=r type=radio value=x>" +
        "<input name=r type=radio value=y><select name=s><option>1<option>2</select>" +
        "<select name=m multiple><option>1<option>2<option>3</select><textarea name=t></textarea>" +
        "<input name=d type=date><input name=g type=checkbox value=x><input name=g type=checkbox value=y>" +
        "<input name=hi type=hidden value=h>" +
        SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        respond(form, () => entries(form));
        const input = {
          t: "T\nU",
          a: "A",
          n: 5,
          c: true,
          r: "y",
          s: "2",
          m: ["1", "3"],
          d: "2020-01-02",
        };
        same(JSON.parse(await call({ ...input, g: ["y"] })), [
          ...[
            ["a", "A"],
            ["n", "5"],
            ["c", "on"],
            ["r", "y"],
            ["s", "2"],
            ["m", "1"],
            ["m", "3"],
          ],
          ...[
            ["t", "T\nU"],
            ["d", "2020-01-02"],
            ["g", "y"],
            ["hi", "h"],
          ],
        ]);
        const kept = JSON.parse(await call({}));
        same(kept.length, 11);
        same(
          JSON.parse(await call({ c: false, m: [], g: [] })).map(
            (/** @type {[string]} */ [name]) => name,
          ),
          [...["a", "n", "r", "s", "t", "d", "hi"]],
        );
      },
    ),

  fillEvents: () =>
    withForm(
      "<input name=a><input name=c type=checkbox><select name=s><option>1<option>2</select>" +
        SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        /** @type {unknown[]} */
        const trace = [];
        for (const type of ["input", "change"]) {
          form.addEventListener(type, (event) => {
            const { name, value, checked } = /** @type {any} */ (event.target);
            trace.push([type, name, checked || value, event.bubbles, event.composed]);
            void Promise.resolve().then(() => trace.push("microtask"));
          });
        }
        respond(form, () => "done");
        await call({ s: "2", a: "A", c: true });
        const of = (/** @type {string} */ name, /** @type {unknown} */ value) => [
          ...[["input", name, value, true, true], "microtask"],
          ...[["change", name, value, true, false], "microtask"],
        ];
        const sorted = trace.filter((each) => each !== "microtask");
        same(
          sorted,
          [...of("s", "2"), ...of("a", "A"), ...of("c", true)].filter(
            (each) => each !== "microtask",
          ),
        );
        const last = (/** @type {string} */ name) =>
          trace.findLastIndex((each) => Array.isArray(each) && each[1] === name);
        // What a listener of one control leaves to a microtask is done before the next control.
        equal(trace.slice(0, last("a")).includes("microtask"), true);
        equal(trace.slice(last("s"), last("a")).includes("microtask"), true);
      },
    ),

  keepsUnchanged: () =>
    withForm(
      "<input name=a value=A><input name=c type=checkbox checked>" + SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        /** @type {unknown[]} */
        const trace = [];
        form.oninput = form.onchange = (event) => trace.push(event.type);
        respond(form, () => "done");
        await call({ a: "A", c: true });
        same(trace, []);
      },
    ),

  refusesValues: () =>
    withForm(
      "<input name=a><input name=n type=number><input name=c type=checkbox><input name=r type=radio value=x>" +
        "<input name=r type=radio value=y><select name=s><option>1</select><select name=m multiple><option>1</select>" +
        "<input name=d type=date><input name=t type=time><input name=g type=checkbox value=x>" +
        "<input name=g type=checkbox value=y><input name=dis disabled><input name=ro readonly><input name=hi type=hidden>" +
        SUBMIT,
      { toolautosubmit: "", novalidate: "" },
      async (form) => {
        const before = JSON.stringify(entries(form));
        respond(form, () => "done");
        const wrong = {
          ...{
            a: [null, {}, ["x"]],
            n: ["x", "", null, true, " 4"],
            c: ["on", "", null, {}, 2.5, "2", " 1"],
          },
          ...{ r: ["z", null, ""], s: ["3", ["1"], null], m: ["1", ["1", "9"], ["1", "1"], null] },
          ...{ d: ["x", 20200101, "2020-02-31"], t: ["25:00"], g: ["x", ["z"], true, ["x", "x"]] },
          ...{ dis: ["x"], ro: ["x"], hi: ["x"], unheard: [1] },
        };
        for (const [name, values] of Object.entries(wrong)) {
          for (const value of values) {
            await rejects(call({ a: "set", [name]: value }), "UnknownError", [name, value]);
          }
        }
        equal(JSON.stringify(entries(form)), before);
        for (const input of [
          { a: 1 },
          { n: "4" },
          { c: "false" },
          { c: 1 },
          { c: "0" },
          { s: 1 },
          { d: "" },
        ]) {
          equal(await call(input), "done");
        }
      },
    ),

  autosubmits: () =>
    withForm(
      "<input name=a><button disabled></button><button id=go>Send</button>",
      { toolautosubmit: "" },
      async (form) => {
        /** @type {unknown[]} */
        const seen = [];
        form.onsubmit = (/** @type {any} */ event) => {
          event.preventDefault();
          seen.push(event.agentInvoked, event.submitter?.id, event.isTrusted, isActive(form));
          event.respondWith("done");
        };
        equal(await call({ a: "x" }), "done");
        same(seen, [true, "go", true, true]);
        equal(isActive(form), false);
      },
    ),

  activatedFirst: () =>
    withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      /** @type {unknown[]} */
      const seen = [];
      form.oninput = () => seen.push(["input", isActive(form)]);
      modelContext.ontoolactivated = () => seen.push(["toolactivated", isActive(form)]);
      respond(form, () => seen.push(["submit", isActive(form)]));
      await call({ a: "x" }).finally(() => (modelContext.ontoolactivated = null));
      same(seen, [
        ["input", true],
        ["toolactivated", true],
        ["submit", true],
      ]);
    }),

  respondWith: () =>
    withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      const cyclic = {};
      Object.assign(cyclic, { cyclic });
      const values = [
        ...[
          ["text", "text"],
          ["", ""],
          [undefined, "undefined"],
          [null, "null"],
          [5, "5"],
          [true, "true"],
        ],
        ...[
          [{ a: 1 }, '{"a":1}'],
          [Promise.resolve("promised"), "promised"],
          [10n, "10"],
          [[], "[]"],
        ],
        [
          { then: (/** @type {(value: string) => void} */ resolve) => resolve("thenable") },
          "thenable",
        ],
      ];
      for (const [value, answer] of values) {
        respond(form, () => value);
        equal(await call({ a: "x" }), answer);
      }
      const rejected = Promise.reject(new Error("no"));
      rejected.catch(() => {});
      const bad = [rejected, cyclic, { toJSON: () => raise() }];
      for (const value of bad) {
        respond(form, () => value);
        await rejects(call({ a: "x" }), "UnknownError");
      }
      form.onsubmit = (/** @type {any} */ event) => {
        event.preventDefault();
        equal(event.respondWith("first"), undefined);
        event.respondWith("last");
      };
      equal(await call({}), "last");
      form.onsubmit = async (/** @type {any} */ event) => {
        event.preventDefault();
        await undefined;
        event.respondWith("in a microtask");
      };
      equal(await call({}), "in a microtask");
    }),

  respondWithRefused: () =>
    withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      /** @type {any} */
      let kept;
      form.onsubmit = (event) => {
        kept = event;
        refuses(event); // preventDefault comes first
        event.preventDefault();
      };
      await rejects(call({}), "UnknownError");
      equal(kept.agentInvoked, true);
      refuses(kept);
      form.onsubmit = (/** @type {any} */ event) => {
        event.preventDefault();
        equal(event.agentInvoked, false);
        refuses(event);
        kept = event;
      };
      form.requestSubmit();
      equal(kept.agentInvoked, false);
      throws(() => kept.respondWith(), TypeError);
      const { get } = descriptor("agentInvoked");
      throws(() => get.call({}), TypeError);
      throws(() => descriptor("respondWith").value.call({}, 1), TypeError);
    }),

  async submitEvent() {
    await withForm("", {}, async () => {});
    const { get, set, ...flags } = descriptor("agentInvoked");
    same(
      [flags, get.name, set],
      [{ enumerable: true, configurable: true }, "get agentInvoked", undefined],
    );
    const { value, ...method } = descriptor("respondWith");
    same(method, { writable: true, enumerable: true, configurable: true });
    same([value.name, value.length], ["respondWith", 1]);
    equal(/** @type {any} */ (new SubmitEvent("submit")).agentInvoked, false);
  },

  waitsForSubmission: () =>
    withForm("<input name=a><button id=go>Send</button>", {}, async (form, button) => {
      /** @type {unknown[]} */
      const seen = [];
      const waiting = begin({ a: "x" });
      await waiting.activated;
      equal(document.activeElement, button);
      same([isActive(form), field(form).value], [true, "x"]);
      field(form).value = "y";
      field(form).dispatchEvent(new Event("input", { bubbles: true }));
      field(form).dispatchEvent(new Event("change", { bubbles: true }));
      form.onsubmit = (event) => event.preventDefault(); // Firefox would submit the form
      form.dispatchEvent(new SubmitEvent("submit", { cancelable: true })); // by a script, so nobody's
      equal(await isPending(waiting), true);
      form.onsubmit = (/** @type {any} */ event) => {
        event.preventDefault();
        seen.push(event.agentInvoked);
        if (event.agentInvoked) event.respondWith(field(form).value);
      };
      button.click();
      equal(await waiting.answer, "y");
      button.click();
      same(seen, [true, false]);
    }),

  needsAButton: () =>
    withForm("<input name=a>", {}, async () => rejects(call({ a: "x" }), "UnknownError")),

  unanswered: () =>
    withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      form.onsubmit = (event) => event.preventDefault();
      await rejects(call({ a: "x" }), "UnknownError");
      equal(isActive(form), false);
    }),

  submittedByTheBrowser: () =>
    withForm(SUBMIT, { toolautosubmit: "", method: "dialog" }, async () =>
      equal(await call({}), null),
    ),

  invalidForm: () =>
    withForm("<input name=a required>" + SUBMIT, { toolautosubmit: "" }, async (form, button) => {
      form.onsubmit = () => raise();
      await rejects(call({}), "UnknownError");
      form.removeAttribute("toolautosubmit");
      await listed();
      const waiting = begin({});
      await waiting.activated;
      equal(await isPending(waiting), true);
      button.click();
      await rejects(waiting.answer, "UnknownError");
    }),

  reset: () =>
    withForm("<input name=a>" + SUBMIT, {}, async (form) => {
      const waiting = begin({ a: "x" });
      await waiting.activated;
      form.onreset = (event) => event.preventDefault();
      form.reset();
      equal(await isPending(waiting), true);
      form.onreset = null;
      form.reset();
      await rejects(waiting.answer, "UnknownError");
      equal(isActive(form), false);
      form.setAttribute("toolautosubmit", "");
      respond(form, never);
      const submitted = begin({ a: "x" });
      await submitted.activated;
      await modelContext.getTools();
      form.reset();
      await rejects(submitted.answer, "UnknownError");
    }),

  async removal() {
    /** @type {((form: HTMLFormElement) => void)[]} */
    const ways = [(form) => document.body.append(form), (form) => form.remove()];
    for (const leave of ways) {
      await withForm("<input name=a>" + SUBMIT, {}, async (form) => {
        const waiting = begin({ a: "x" });
        await waiting.activated;
        leave(form);
        await rejects(waiting.answer, "UnknownError", leave);
        equal(isActive(form), false);
      });
    }
  },

  async changesEndCalls() {
    for (const change of ENDING) {
      await withForm(FORM_TO_CHANGE, {}, async (form) => {
        const waiting = begin({ a: "x" });
        await waiting.activated;
        change(form, field(form));
        await rejects(waiting.answer, "UnknownError", change);
      });
    }
    for (const change of HARMLESS) {
      await withForm(FORM_TO_CHANGE, {}, async (form) => {
        const waiting = begin({ a: "x" });
        await waiting.activated;
        change(form, field(form));
        if (!(await isPending(waiting))) throw new Error(`${change} ended the call`);
      });
    }
  },

  changesWhileFilling: () =>
    withForm("<input name=a><input name=b>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      respond(form, () => entries(form));
      for (const change of [
        () => (field(form, "b").required = true),
        () => (form.querySelector("button") ?? form).before("text"),
        () => (field(form).value = "changed"),
      ]) {
        field(form).oninput = change;
        const answer = JSON.parse(await call({ a: `${change}`, b: "y" }));
        same(answer[1], ["b", "y"]);
      }
    }),

  callerAborts: () =>
    withForm("<input name=a>" + SUBMIT, {}, async (form, button) => {
      const caller = new AbortController();
      const waiting = begin({ a: "x" }, { signal: caller.signal });
      await waiting.activated;
      const cancelled = once(modelContext, "toolcancel");
      caller.abort();
      await rejects(waiting.answer, "AbortError");
      equal((await cancelled).toolName, "form");
      equal(isActive(form), false);
      /** @type {unknown} */
      let isAgents;
      form.onsubmit = (/** @type {any} */ event) => {
        event.preventDefault();
        isAgents = event.agentInvoked;
      };
      button.click();
      equal(isAgents, false);
    }),

  async changesAreTold() {
    for (const change of ENDING) {
      await withForm(FORM_TO_CHANGE, {}, async (form) => {
        const before = JSON.stringify(await until((tool) => tool), without);
        const told = nextChange();
        change(form, field(form));
        await told;
        if (form.hasAttribute("toolautosubmit")) return;
        await until((tool) => JSON.stringify(tool, without) !== before);
      });
    }
    await withForm("", {}, async (form) => {
      const told = nextChange();
      form.setAttribute("toolname", "renamed");
      await told;
      await until((tool) => !tool);
      equal((await listed(form)).name, "renamed");
    });
  },

  freshSchema: () =>
    withForm("<label>L<select name=a><option>1</select></label>", {}, async (form) => {
      field(form).append(new Option("Two", "2"));
      /** @type {any} */ (form.querySelector("label")).firstChild.data = "M";
      const { a } = (await listed()).inputSchema.properties;
      same([a.enum, a.description], [["1", "2"], "M"]);
    }),

  openShadowTree: () =>
    withForm("", { toolname: "other" }, async () => {
      const host = document.createElement("div");
      host.attachShadow({ mode: "open" }).innerHTML =
        `<form toolname=form tooldescription=d><input name=a>${SUBMIT}</form>`;
      const form = /** @type {HTMLFormElement} */ (host.shadowRoot?.firstChild);
      const told = nextChange();
      document.body.append(host);
      await told;
      const waiting = begin({ a: "x" });
      await waiting.activated;
      equal(field(form).value, "x");
      respond(form, () => "done");
      form.querySelector("button")?.click();
      equal(await waiting.answer, "done");
      field(form).name = "b";
      await until((tool) => tool && "b" in tool.inputSchema.properties);
      host.remove();
      await until((tool) => !tool);
    }),

  twoFormsOfOneName: () =>
    withForm("", {}, async (first) =>
      withForm("<input name=a>", { tooldescription: "second" }, async (second) => {
        await until((tool) => tool?.description === "d");
        equal((await modelContext.getTools()).length, 1);
        first.remove();
        await until((tool) => !tool);
        second.setAttribute("tooldescription", "changed");
        await until((tool) => tool?.description === "changed");
      }),
    ),

  refusedFormLeaves: () =>
    withForm("", { toolname: "other" }, async () => {
      const { release } = await toolOf(modelContext, {
        name: "form",
        description: "script",
        execute: () => ({}),
      });
      await withForm("", {}, async (form) => {
        equal((await listed()).description, "script");
        form.remove();
        equal((await listed())?.description, "script");
      });
      await withForm("", {}, async (form) => {
        equal((await listed()).description, "script");
        form.setAttribute("toolname", "form2");
        same(
          (await modelContext.getTools()).map((/** @type {any} */ { name }) => name),
          ["form", "form2", "other"],
        );
      }).finally(release);
    }),

  nameOfAForm: () =>
    withForm("", {}, async (form) => {
      const tool = { name: "form", description: "script", execute: () => ({}) };
      await rejects(modelContext.registerTool(tool), "InvalidStateError");
      form.remove();
      const { handle, release } = await toolOf(modelContext, tool);
      equal(handle.description, "script");
      release();
    }),

  calledTwice: () =>
    withForm("<input name=a>" + SUBMIT, {}, async (form, button) => {
      respond(form, () => field(form).value);
      const first = begin({ a: "x" });
      await first.activated;
      const second = begin({ a: "y" });
      await second.activated;
      button.click();
      equal(await second.answer, "y");
      equal(await isPending(first), false);
      await rejects(first.answer, "UnknownError");
    }),

  hidingControls: () =>
    withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      const add = (/** @type {string} */ name) =>
        Element.prototype.append.call(
          form,
          Object.assign(document.createElement("input"), { name }),
        );
      membersOf(form).forEach(add);
      EventTarget.prototype.addEventListener.call(form, "submit", (/** @type {any} */ event) => {
        event.preventDefault();
        event.respondWith("done");
      });
      const isWhole = (/** @type {any} */ tool) =>
        tool && "contains" in tool.inputSchema.properties;
      await until(isWhole);
      equal(await call({ a: "x", contains: "y" }), "done");
      Element.prototype.remove.call(form);
      await until((tool) => !tool);
      document.body.append(form);
      await until(isWhole);
    }),

  async takenAwayBySubmission() {
    /** @type {((form: HTMLFormElement) => unknown)[]} */
    const ways = [
      (form) => form.remove(),
      (form) => form.parentElement?.replaceChildren("Thanks"),
      (form) => document.body.append(form),
      (form) => form.removeAttribute("toolname"),
    ];
    for (const leave of ways) {
      await withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
        respond(form, () => {
          leave(form);
          return modelContext.getTools().then(() => "done");
        });
        equal(await call({ a: "x" }), "done");
      });
    }
  },

  submittedAgain: () =>
    withForm("<input name=a>" + SUBMIT, {}, async (form, button) => {
      /** @type {((answer: string) => void)[]} */
      const answers = [];
      respond(form, () => new Promise((resolve) => answers.push(resolve)));
      for (const first of [0, 1]) {
        answers.length = 0;
        const waiting = begin({ a: "x" });
        await waiting.activated;
        button.click();
        await modelContext.getTools();
        button.click();
        answers[first](`answer ${first}`);
        equal(await waiting.answer, `answer ${first}`);
      }
    }),

  async throwingSetter() {
    if (!customElements.get("x-refusing")) customElements.define("x-refusing", Refusing);
    const html = "<x-refusing name=a toolparamdescription=d></x-refusing>" + SUBMIT;
    await withForm(html, { toolautosubmit: "" }, () => rejects(call({ a: "x" }), "UnknownError"));
  },

  buttonThatLeaves: () =>
    withForm("<input name=a>" + SUBMIT, { toolautosubmit: "" }, async (form, button) => {
      let count = 0;
      modelContext.ontoolactivated = () => {
        count += 1;
        button.remove();
      };
      respond(form, () => "done");
      const outcome = await outcomeOf(call({ a: "x" }));
      modelContext.ontoolactivated = null;
      same(outcome, { answered: "done" });
      equal(count, 1);
    }),

  choicesOfOneValue: () =>
    withForm(
      "<select name=s multiple><option>1<option>1<option>2</select><input name=a type=checkbox value=x>" +
        "<input name=a type=checkbox value=x><input name=a type=checkbox value=y>" +
        SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        respond(form, () => entries(form));
        const both = [
          ["s", "1"],
          ["s", "1"],
          ["a", "x"],
          ["a", "x"],
        ];
        same(JSON.parse(await call({ s: ["1"], a: ["x"] })), both);
        await rejects(call({ s: ["1", "1"] }), "UnknownError");
      },
    ),

  refusesDefaults: () =>
    withForm(
      "<input name=c type=color value=#123456><input name=n type=range>" + SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        respond(form, () => entries(form));
        for (const input of [{ c: "nice" }, { c: 5 }, { n: "most" }, { n: "" }])
          await rejects(call(input), "UnknownError", input);
        same(JSON.parse(await call({ n: 70 })), [
          ["c", "#123456"],
          ["n", "70"],
        ]);
      },
    ),

  choicesInGroups: () =>
    withForm(
      "<select name=s multiple><optgroup label=g><option>1</optgroup><option>2<option>3</select>" +
        SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        respond(form, () => entries(form));
        same(JSON.parse(await call({ s: ["2"] })), [["s", "2"]]);
      },
    ),

  listBoxEvents: () =>
    withForm(
      "<select name=s size=2><option>1<option>2</select>" +
        "<input name=h type=hidden toolparamdescription=D>" +
        SUBMIT,
      { toolautosubmit: "" },
      async (form) => {
        /** @type {string[]} */
        const trace = [];
        const note = (/** @type {any} */ { target, type }) => trace.push(`${type} ${target.name}`);
        for (const type of ["input", "change"]) form.addEventListener(type, note);
        respond(form, () => entries(form));
        same(JSON.parse(await call({ s: "2", h: "x" })), [
          ["s", "2"],
          ["h", "x"],
        ]);
        same(trace, ["input s", "change s"]);
      },
    ),

  listForAForm: () =>
    withForm("<input name=0>" + SUBMIT, { toolautosubmit: "" }, async (form) => {
      respond(form, () => "done");
      await rejects(call([]), "UnknownError");
      await rejects(call(["x"]), "UnknownError");
    }),
};

/** What a form has of its own kind, by name; a control of such a name hides it. @param {object} form */
function membersOf(form) {
  /** @type {Set<string>} */
  const names = new Set();
  for (let each = Object.getPrototypeOf(form); each; each = Object.getPrototypeOf(each))
    for (const name of Object.getOwnPropertyNames(each)) names.add(name);
  return names;
}

const FORM_TO_CHANGE =
  "<label>L<input name=a></label><p>p</p><input name=n type=number><input name=c type=checkbox>" +
  `<select name=s><option>1</select>${SUBMIT}`;

/** @type {((form: HTMLFormElement, control: any) => unknown)[]} */
const ENDING = [
  (form) => form.setAttribute("tooldescription", "other"),
  (form) => form.setAttribute("tooltitle", "other"),
  (form) => form.setAttribute("toolautosubmit", ""),
  (_form, control) => (control.required = true),
  (_form, control) => (control.type = "number"),
  (_form, control) => control.setAttribute("pattern", "other"),
  (_form, control) => control.setAttribute("toolparamdescription", "other"),
  (form) => field(form, "n").setAttribute("min", "4"),
  (_form, control) => (control.disabled = true),
  (_form, control) => (control.readOnly = true),
  (form) => form.append(Object.assign(document.createElement("input"), { name: "b" })),
  (form) => form.querySelector("select")?.remove(),
];

/** @type {typeof ENDING} */
const HARMLESS = [
  (form) => form.setAttribute("toolname", "form"),
  (form) => (form.className = "other"),
  (form) => (form.action = "/other"),
  (_form, control) => (control.value = "other"),
  (_form, control) => control.setAttribute("value", "other"),
  (_form, control) => (control.placeholder = "other"),
  (_form, control) => control.setAttribute("maxlength", "5"),
  (_form, control) => control.before("text"),
  (form) => form.append(document.createElement("p")),
  (form) => form.querySelector("p")?.remove(),
  (form) => field(form, "c").click(),
  (form) => field(form, "s").append(new Option("2")),
  (form) =>
    form.append(Object.assign(document.createElement("input"), { name: "b", type: "hidden" })),
];

/** A custom element with a value. */
class Field extends HTMLElement {
  static formAssociated = true;
  value = "";

  constructor() {
    super();
    this.attachInternals();
  }
}

/** One that takes no value, and says so by anything. */
class Refusing extends HTMLElement {
  static formAssociated = true;

  get value() {
    return "";
  }

  set value(_value) {
    throw null;
  }
}

/**
 * @param {string} html @param {Record<string, string | undefined>} attributes
 * @param {(form: HTMLFormElement, button: any) => Promise<unknown>} steps
 */
async function withForm(html, attributes, steps) {
  const all = { id: "f", toolname: "form", tooldescription: "d", ...attributes };
  const box = document.createElement("div");
  box.innerHTML = `<form>${html}</form>`;
  const form = /** @type {HTMLFormElement} */ (box.firstChild);
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) form.setAttribute(name, value);
  }
  document.body.append(box);
  try {
    await modelContext.getTools();
    const button = form.querySelector("button:enabled");
    await steps(form, button);
  } finally {
    box.remove();
    Element.prototype.remove.call(form);
    await modelContext.getTools();
  }
}

/** @param {typeof COMMON} table */
async function checkSchemas(table) {
  for (const [html, property, isRequired = false] of table.filter(isKnown)) {
    await withForm(html, {}, async () => {
      const { properties, required } = (await listed()).inputSchema;
      const found = JSON.stringify([properties, required]);
      const expected = JSON.stringify([property ? { a: property } : {}, isRequired ? ["a"] : []]);
      if (sorted(found) !== sorted(expected))
        throw new Error(`${html}: expected ${expected}, got ${found}`);
    });
  }
}

/** Not every browser has controls for months and weeks. @param {[string, ...unknown[]]} row */
function isKnown([html]) {
  const [, type] = /type=(month|week)/.exec(html) ?? [];
  return !type || Object.assign(document.createElement("input"), { type }).type === type;
}

/** @param {string} json */
function sorted(json) {
  return JSON.stringify(JSON.parse(json), (_key, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** The tool of the checks' form. @param {HTMLFormElement} [form] whose name may be another one now @returns {Promise<any>} */
async function listed(form) {
  const name = form?.getAttribute("toolname") ?? "form";
  const tools = await modelContext.getTools();
  return tools.find((/** @type {any} */ each) => each.name === name);
}

/**
 * Lists until the form's tool is as expected: a browser tells its lists of a form's change a little later.
 *
 * @param {(tool: any) => unknown} isExpected
 */
async function until(isExpected) {
  for (const began = performance.now(); performance.now() - began < PATIENCE_MS;) {
    const tool = await listed();
    if (isExpected(tool)) return tool;
  }
  throw new Error(`the list was never as expected: ${isExpected}`);
}

/** @param {object} input @param {object} [options] @returns {Promise<any>} */
async function call(input, options) {
  return modelContext.executeTool(await until((tool) => tool), input, options);
}

/** @param {object} input @param {object} [options] */
function begin(input, options) {
  const activated = once(modelContext, "toolactivated");
  const answer = call(input, options);
  answer.catch(() => {});
  return { activated, answer };
}

/** Whether a call has no answer after what is under way was done. @param {{answer: Promise<unknown>}} call */
async function isPending({ answer }) {
  const pending = {};
  for (let turn = 0; turn < 5; turn += 1) await modelContext.getTools();
  const outcome = await outcomeOf(Promise.race([answer, Promise.resolve(pending)]));
  return outcome.answered === pending;
}

/** @param {EventTarget} target @param {string} type @returns {Promise<any>} */
function once(target, type) {
  return new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}

function nextChange() {
  return once(modelContext, "toolchange");
}

/** @param {HTMLFormElement} form @param {() => unknown} answer */
function respond(form, answer) {
  form.onsubmit = (/** @type {any} */ event) => {
    event.preventDefault();
    event.respondWith(answer());
  };
}

/** @param {any} event */
function refuses(event) {
  try {
    event.respondWith("x");
  } catch (error) {
    equal(/** @type {any} */ (error).name, "InvalidStateError");
    return;
  }
  throw new Error("respondWith was taken");
}

/** @param {HTMLFormElement} form @param {string} [name] @returns {any} */
function field(form, name = "a") {
  return (
    [...form.querySelectorAll("[name]")].find((each) => each.getAttribute("name") === name) ??
    form.querySelector("input")
  );
}

/** @param {HTMLFormElement} form */
function entries(form) {
  return [...new FormData(form)].filter(([name, value]) => value !== "" || name === "a");
}

/** Whether a form shows that it is an agent's now, by the browser's pseudo-class or the polyfill's attribute. @param {Element} form */
function isActive(form) {
  return CSS.supports("selector(:tool-form-active)")
    ? form.matches(":tool-form-active")
    : form.hasAttribute("data-tool-form-active");
}

/** @param {string} name @returns {any} */
function descriptor(name) {
  return Object.getOwnPropertyDescriptor(SubmitEvent.prototype, name);
}

/** @param {string} key @param {unknown} value */
function without(key, value) {
  return key === "window" ? undefined : value;
}

function raise() {
  throw new Error("raised");
}
