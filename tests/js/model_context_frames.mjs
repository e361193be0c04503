/** How the model contexts of several documents see each other: each check has frames of its own. */

import { equal, outcomeOf, rejects, releaseLater, same, toolOf } from "./model_context_asserts.mjs";

/** @type {any} */
const { modelContext } = document;
const tool = { name: "a", description: "d", execute: () => ({ from: "top" }) };
const never = () => new Promise(() => {});

/** What the page gives to a new frame, so that it has a model context. @type {(view: Window) => Promise<void>} */
let prepare = async () => {};

/** @param {typeof prepare} steps */
export function prepareFramesBy(steps) {
  prepare = steps;
}

export const frameChecks = {
  listsFrames: () =>
    withFrame(async ({ context, view }) => {
      const names = ["b", "a", "c"];
      for (const name of names) await context.registerTool({ ...tool, name });
      const { release } = await toolOf(modelContext, { ...tool, name: "b" });
      const listed = await modelContext.getTools();
      const found = listed.map((/** @type {any} */ each) => [each.name, each.window === view]);
      same(found, [
        ["a", true],
        ["b", false],
        ["b", true],
        ["c", true],
      ]);
      equal(listed[0].window, view);
      equal(listed[0].origin, origin);
      equal(listed[0] instanceof Object, true);
      equal((await context.getTools()).length, 4);
      release();
    }),

  tellsFrames: () =>
    withFrame(async ({ context, view }) => {
      /** @type {string[]} */
      const trace = [];
      const listen = (/** @type {EventTarget} */ target, /** @type {string} */ who) =>
        new Promise((resolve) => {
          const note = (/** @type {Event} */ event) => resolve(trace.push(`${who} ${event.type}`));
          target.addEventListener("toolchange", note, { once: true });
        });
      // A frame without tools of its own is at times not told by Chromium: about one time in six under load.
      const known = listen(context, "frame");
      const own = await toolOf(context, { ...tool, name: "own" });
      await known;
      trace.splice(0);
      for (const registrar of [modelContext, context]) {
        const all = [listen(modelContext, "top"), listen(context, "frame")];
        const { release } = await toolOf(registrar, tool);
        await Promise.all(all);
        same(trace.splice(0), ["top toolchange", "frame toolchange"]);
        const gone = [listen(modelContext, "top"), listen(context, "frame")];
        release();
        await Promise.all(gone);
        same(trace.splice(0), ["top toolchange", "frame toolchange"]);
      }
      own.release();
      equal(context instanceof view.EventTarget, true);
    }),

  executesInFrames: () =>
    withFrame(async ({ context, view }) => {
      /** @type {string[]} */
      const trace = [];
      modelContext.ontoolactivated = () => trace.push("top");
      context.ontoolactivated = (/** @type {any} */ event) => {
        trace.push(`frame ${event.toolName} ${event instanceof view.ToolActivatedEvent}`);
      };
      await context.registerTool({
        ...tool,
        execute: (/** @type {object} */ input) => ({ input }),
      });
      const answer = await modelContext.executeTool(await handleOf(modelContext), { x: 1 });
      equal(answer, '{"input":{"x":1}}');
      same(trace.splice(0), ["frame a true"]);
      const { release } = await toolOf(modelContext, { ...tool, name: "b" });
      equal(await context.executeTool(await handleOf(context, "b")), '{"from":"top"}');
      same(trace, ["top"]);
      modelContext.ontoolactivated = null;
      release();
    }),

  cancelsInFrames: () =>
    withFrame(async ({ context }) => {
      /** @type {string[]} */
      const trace = [];
      const execute = abortable(() => trace.push("signal"));
      await context.registerTool({ ...tool, execute });
      const caller = new AbortController();
      const entered = nextEvent(context, "toolactivated");
      const handle = await handleOf(modelContext);
      const answer = modelContext.executeTool(handle, {}, { signal: caller.signal });
      await entered;
      const cancelled = nextEvent(context, "toolcancel");
      caller.abort("why");
      same(await outcomeOf(answer), { rejected: "why" });
      equal((await cancelled).toolName, "a");
      same(trace, ["signal"]);
    }),

  targetRemoved: () =>
    withFrame(async ({ context, frame }) => {
      await context.registerTool({ ...tool, execute: never });
      const entered = nextEvent(context, "toolactivated");
      const handle = await handleOf(modelContext);
      const answer = modelContext.executeTool(handle);
      await entered;
      frame.remove();
      await rejects(answer, "UnknownError");
      same(await modelContext.getTools(), []);
    }),

  toolOfRemovedFrame: () =>
    withFrame(async ({ context, frame }) => {
      await context.registerTool(tool);
      const handle = await handleOf(modelContext);
      frame.remove();
      await rejects(modelContext.executeTool(handle), "UnknownError");
    }),

  targetNavigated: () =>
    withFrame(async ({ context, frame }) => {
      await context.registerTool({ ...tool, execute: never });
      const entered = nextEvent(context, "toolactivated");
      const handle = await handleOf(modelContext);
      const answer = modelContext.executeTool(handle);
      await entered;
      const loaded = nextEvent(frame, "load");
      frame.src = `${location.href}?elsewhere`;
      await rejects(answer, "UnknownError");
      await loaded;
      same(await modelContext.getTools(), []);
      await rejects(modelContext.executeTool(handle), "UnknownError");
    }),

  callerRemoved: () =>
    withFrame(async ({ context, frame }) => {
      /** @type {string[]} */
      const trace = [];
      const execute = abortable((/** @type {any} */ reason) => trace.push(reason.name));
      const { release } = await toolOf(modelContext, { ...tool, execute });
      const entered = nextEvent(modelContext, "toolactivated");
      const answer = context.executeTool(await handleOf(context));
      answer.catch(() => {});
      await entered;
      const cancelled = nextEvent(modelContext, "toolcancel");
      frame.remove();
      equal((await cancelled).toolName, "a");
      same(trace, ["AbortError"]);
      release();
    }),

  removedContext: () =>
    withFrame(async ({ context, frame }) => {
      const handle = { name: "a", description: "d", window, origin };
      frame.remove();
      await rejects(context.registerTool({ ...tool, name: "" }), "InvalidStateError");
      await rejects(context.getTools({ fromOrigins: ["*"] }), "InvalidStateError");
      await rejects(context.executeTool({ ...handle, origin: "null" }), "InvalidStateError");
    }),

  nestedFrames: () =>
    withFrame(({ frame }) =>
      withFrame(async ({ context }) => {
        await context.registerTool({ ...tool, execute: () => ({ from: "below" }) });
        equal(await modelContext.executeTool(await handleOf(modelContext)), '{"from":"below"}');
      }, frame.contentDocument),
    ),

  framesInShadowTrees: async () => {
    for (const mode of /** @type {const} */ (["open", "closed"])) {
      const host = document.createElement("div");
      const root = host.attachShadow({ mode });
      document.body.append(host);
      await withFrame(
        async ({ context, frame }) => {
          const told = nextEvent(modelContext, "toolchange");
          await context.registerTool({ ...tool, execute: () => ({ from: "shadow" }) });
          await told;
          equal(await modelContext.executeTool(await handleOf(modelContext)), '{"from":"shadow"}');
          await withFrame(async (inner) => {
            await inner.context.registerTool({ ...tool, name: "b" });
            equal((await handleOf(modelContext, "b")).window, inner.view);
          }, frame.contentDocument);
          host.remove();
          same(await modelContext.getTools(), []);
        },
        document,
        root,
      );
    }
  },

  formsInFrames: () =>
    withFrame(async ({ context, frame, view }) => {
      const form = await formIn(view);
      form.onsubmit = (/** @type {any} */ event) => {
        event.preventDefault();
        event.respondWith({ invoked: event.agentInvoked, a: new view.FormData(form).get("a") });
      };
      const handle = await handleOf(modelContext);
      equal(handle.window, view);
      const begin = async () => {
        const activated = nextEvent(context, "toolactivated");
        const answer = modelContext.executeTool(handle, { a: "x" });
        await activated;
        return { answer };
      };
      const first = await begin();
      form.querySelector("button").click();
      equal(await first.answer, '{"invoked":true,"a":"x"}');
      const second = await begin();
      frame.remove();
      await rejects(second.answer, "UnknownError");
      same(await modelContext.getTools(), []);
    }),

  formsThatMove: () =>
    withFrame(async ({ context, view }) => {
      const form = await formIn(view);
      document.body.append(form);
      await context.getTools();
      const windows = async () =>
        (await modelContext.getTools()).map((/** @type {any} */ each) => each.window === window);
      for (const began = performance.now(); !(await windows())[0];)
        if (performance.now() - began > 5000) throw new Error("the form did not arrive");
      same(await windows(), [true]);
      form.onsubmit = (/** @type {any} */ event) => {
        event.preventDefault();
        event.respondWith("here");
      };
      form.setAttribute("toolautosubmit", "");
      equal(await modelContext.executeTool(await handleOf(modelContext), { a: "x" }), "here");
      form.remove();
      same(await modelContext.getTools(), []);
    }),

  signalOfAnotherFrame: () =>
    withFrame(async ({ view }) => {
      const controller = new view.AbortController();
      await modelContext.registerTool(tool, { signal: controller.signal });
      controller.abort();
      same(await modelContext.getTools(), []);
    }),

  foreignFrame: async () => {
    const frame = document.createElement("iframe");
    frame.src = location.href.replace("127.0.0.1", "localhost");
    await shown(frame, document.body);
    const target = { window: frame.contentWindow, origin: new URL(frame.src).origin };
    const handle = { name: "a", description: "d", ...target };
    await rejects(modelContext.executeTool(handle), "UnknownError");
    await rejects(modelContext.executeTool({ ...handle, origin }), "UnknownError");
    same(await modelContext.getTools({ fromOrigins: [target.origin] }), []);
    frame.remove();
  },

  otherTop: async () => {
    const view = /** @type {any} */ (window.open(location.href));
    await new Promise((resolve) => view.addEventListener("load", resolve, { once: true }));
    await prepare(view);
    await view.document.modelContext.registerTool(tool);
    same(await modelContext.getTools(), []);
    const handle = { name: "a", description: "d", window: view, origin };
    await rejects(modelContext.executeTool(handle), "UnknownError");
    view.close();
  },
};

/**
 * @param {(own: {frame: HTMLIFrameElement, view: any, context: any}) => Promise<void>} check
 * @param {Document | null} [parent]
 * @param {Node} [place] where in the parent
 */
async function withFrame(check, parent = document, place = parent?.body) {
  const doc = /** @type {Document} */ (parent);
  const frame = doc.createElement("iframe");
  // A browser shows no page inside of itself again and again.
  frame.src = `${doc.location.href}?`;
  releaseLater(() => frame.remove());
  try {
    await shown(frame, place ?? doc.body);
    const view = /** @type {any} */ (frame.contentWindow);
    await prepare(view);
    await check({ frame, view, context: view.document.modelContext });
  } finally {
    frame.remove();
  }
}

/** @param {HTMLIFrameElement} frame @param {Node} place */
function shown(frame, place) {
  return new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
    place.appendChild(frame);
  });
}

/** A form that is a tool of the frame by now. @param {any} view @returns {Promise<any>} */
async function formIn(view) {
  const html = "<form toolname=a tooldescription=d><input name=a><button>Send</button></form>";
  view.document.body.innerHTML = html;
  await view.document.modelContext.getTools();
  return view.document.querySelector("form");
}

/** @param {(reason: unknown) => void} tell */
function abortable(tell) {
  return (/** @type {object} */ _, /** @type {{signal: AbortSignal}} */ { signal }) => {
    signal.addEventListener("abort", () => tell(signal.reason));
    return never();
  };
}

/** @param {any} context @param {string} [name] */
async function handleOf(context, name = "a") {
  return (await context.getTools()).find((/** @type {any} */ each) => each.name === name);
}

/** @param {EventTarget} target @param {string} type @returns {Promise<any>} */
function nextEvent(target, type) {
  return new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}
