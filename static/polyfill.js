/**
 * `document.modelContext` (WebMCP) for browsers that lack it: the part that scripts use.
 *
 * Importing this module changes nothing; `apply` installs the context and returns the way back. A
 * context lives as long as its document, sees the tools of that document only, and owns no timer and
 * no open port while nothing is under way.
 *
 * It follows the draft's algorithms, and Chromium 156 where an answer becomes text. What script cannot
 * do as a browser does: an abort reaches it as an event, after the listeners that were there before;
 * and where the browser does not know the policy `tools`, the policy's default holds (`self`),
 * whatever an `allow` attribute says.
 *
 * Source: https://webmachinelearning.github.io/webmcp/
 */

/**
 * @typedef {"consequentialHint" | "debugging" | "readOnlyHint" | "untrustedContentHint"} Hint
 * @typedef {{[hint in Hint]?: boolean}} ToolAnnotations
 * @typedef {(input: object, options: {signal: AbortSignal}) => unknown} ToolHandler
 * @typedef {{name: string, title?: string, description: string}} ToolTexts
 * @typedef {ToolTexts & {inputSchema?: object, annotations?: ToolAnnotations}} ToolData
 * @typedef {ToolData & {execute: ToolHandler}} ModelContextTool
 * @typedef {ToolData & {origin: string, window: Window}} RegisteredTool
 * @typedef {ModelContextTool & {title: string}} Definition `title` is empty when there is none
 * @typedef {Definition & {schemaText: string}} KeptTool `schemaText` is empty when there is no schema
 *
 * @typedef {object} State What one context owns.
 * @property {Document} doc
 * @property {ModelContext} context
 * @property {Map<string, KeptTool>} tools
 * @property {Map<string, ((event: Event) => void) | null>} handlers of the `on…` attributes, by type
 * @property {Map<string, Set<() => void>> | undefined} losing by tool, what loses its calls; only where they can be lost
 * @property {number} postbackMs
 *
 * @typedef {object} Options
 * @property {boolean} [force] stand before a native context, too
 * @property {"never" | "onUnregister"} [cancelsCalls] for tests: `onUnregister` behaves as Chromium up to 152, which loses the
 *   calls of a tool that goes; default: `never`, as the draft demands
 * @property {number} [postbackMs] for tests: how long an answer is on its way to its caller, and can still be lost
 *
 * @typedef {{controller: AbortController, isRunning: boolean}} Call
 * @typedef {{features(): string[], allowsFeature(name: string): boolean}} Policy
 */

/** Tells this polyfill's contexts from others, however the code was renamed or copied. */
const MARKER = Symbol.for("webtools.modelContextPolyfill");

/** https://webmachinelearning.github.io/webmcp/#tool-definition-name */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** https://webmachinelearning.github.io/webmcp/#permissions-policy */
const POLICY = "tools";

/**
 * https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy, with the schemes that
 * Chromium 156 takes; but not `file`, which has no origin in script.
 */
const TRUSTED_SCHEME = /^(https|wss|chrome-extension):$/;
const LOOPBACK_HOST = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/;

/** What Chromium 156 answers instead of an empty text. */
const EMPTY_ANSWER = "Operation succeeded";

/** @type {WeakMap<object, State>} */
const states = new WeakMap();

/**
 * Whether the document has a model context, native or not.
 *
 * @param {Document | undefined} doc
 */
export function isSupported(doc = globalThis.document) {
  return contextOf(doc) !== undefined;
}

/**
 * Whether the document's model context is this polyfill's, from this copy of the module or another.
 *
 * @param {Document | undefined} doc
 */
export function isPolyfilled(doc = globalThis.document) {
  return contextOf(doc)?.[MARKER] === true;
}

/**
 * Gives the document a model context, and its window the three interfaces. Does nothing in an insecure
 * context, where there is a polyfilled context already, or (unless `force`) a native one.
 *
 * @param {Document | undefined} doc
 * @param {Options} [options]
 * @returns {() => void} Puts back every property that this very call replaced, if any; harmless twice.
 */
export function apply(doc = globalThis.document, options = {}) {
  const { force = false } = options;
  const view = doc?.defaultView;
  const isTaken = isPolyfilled(doc) || (isSupported(doc) && !force);
  if (!doc || !view?.isSecureContext || isTaken) return () => {};

  const context = new ModelContext(MARKER, doc, options);
  const getter = { get: () => context, enumerable: true, configurable: true };
  const undos = [replaceProperty(doc, "modelContext", getter)];
  for (const [name, value] of Object.entries(INTERFACES)) {
    const descriptor = { value, writable: true, enumerable: false, configurable: true };
    undos.push(replaceProperty(view, name, descriptor));
  }
  return () => {
    for (const undo of undos.splice(0).reverse()) undo();
  };
}

/** @param {Document | undefined} doc @returns {{[MARKER]?: boolean} | undefined} */
function contextOf(doc) {
  return /** @type {any} */ (doc)?.modelContext ?? undefined;
}

/** @param {object} target @param {string} name @param {PropertyDescriptor} descriptor */
function replaceProperty(target, name, descriptor) {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, descriptor);
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}

/** Its methods are async so that whatever is wrong with the arguments, or with `this`, rejects. */
class ModelContext extends EventTarget {
  /** @param {symbol} key pages construct no contexts @param {Document} doc @param {Options} [options] */
  constructor(key, doc, { cancelsCalls = "never", postbackMs = 0 } = {}) {
    if (key !== MARKER) throw new TypeError("Illegal constructor: use document.modelContext.");
    super();
    states.set(this, {
      doc,
      context: this,
      tools: new Map(),
      handlers: new Map(),
      losing: cancelsCalls === "onUnregister" ? new Map() : undefined,
      postbackMs,
    });
  }

  /**
   * @param {ModelContextTool} tool
   * @param {{signal?: AbortSignal, exposedTo?: Iterable<string>}} options
   */
  async registerTool(tool, options = {}) {
    const definition = readTool(tool);
    const { exposedTo, signal } = dictionary(options, "options");
    const origins = readOrigins(exposedTo, "exposedTo");
    return register(stateOf(this), definition, origins, readSignal(signal));
  }

  /** @param {{fromOrigins?: Iterable<string>}} options */
  async getTools(options = {}) {
    const { fromOrigins } = dictionary(options, "options");
    return list(stateOf(this), readOrigins(fromOrigins, "fromOrigins"));
  }

  /**
   * @param {RegisteredTool} tool
   * @param {object} inputObject
   * @param {{signal?: AbortSignal}} options
   */
  async executeTool(tool, inputObject = {}, options = {}) {
    const target = readRegisteredTool(tool);
    const { signal } = dictionary(options, "options");
    const input = requireObject(inputObject, "inputObject");
    return execute(stateOf(this), target, input, readSignal(signal));
  }
}

class ToolActivatedEvent extends Event {
  #toolName;

  /** @param {string} type @param {EventInit & {toolName?: string}} init */
  constructor(type, init = {}) {
    super(type, init);
    this.#toolName = `${init?.toolName ?? ""}`;
  }

  get toolName() {
    return this.#toolName;
  }
}

class ToolCancelEvent extends Event {
  #toolName;

  /** @param {string} type @param {EventInit & {toolName?: string}} init */
  constructor(type, init = {}) {
    super(type, init);
    this.#toolName = `${init?.toolName ?? ""}`;
  }

  get toolName() {
    return this.#toolName;
  }
}

const INTERFACES = { ModelContext, ToolActivatedEvent, ToolCancelEvent };

for (const type of ["toolchange", "toolactivated", "toolcancel"]) {
  Object.defineProperty(ModelContext.prototype, `on${type}`, handlerAttribute(type));
}
for (const [name, { prototype }] of Object.entries(INTERFACES)) {
  for (const member of Object.getOwnPropertyNames(prototype)) {
    if (member !== "constructor") Object.defineProperty(prototype, member, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
Object.defineProperty(ModelContext.prototype, MARKER, { value: true });

/** @param {string} type @returns {PropertyDescriptor & ThisType<ModelContext>} */
function handlerAttribute(type) {
  return {
    configurable: true,
    get() {
      return stateOf(this).handlers.get(type) ?? null;
    },
    set(value) {
      const { handlers } = stateOf(this);
      // Listens from the first setting on and never stops, so that a handler keeps its turn.
      if (!handlers.has(type)) {
        this.addEventListener(type, (event) => handlers.get(type)?.call(this, event));
      }
      handlers.set(type, typeof value === "function" ? value : null);
    },
  };
}

/**
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-registertool
 *
 * @param {State} state @param {Definition} tool
 * @param {string[]} exposedTo @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
function register(state, tool, exposedTo, signal) {
  const { name, description, inputSchema } = tool;
  requireUsable(state.doc);
  const refusal =
    (state.tools.has(name) &&
      `A tool "${name}" is registered: abort the signal of that one first.`) ||
    (!TOOL_NAME.test(name) && `"${name}" is no tool name: use 1 to 128 of A-Z a-z 0-9 _ . -`) ||
    (!description && `The tool "${name}" needs a description that is not empty.`);
  if (refusal) throw failure("InvalidStateError", refusal);
  const schemaText = inputSchema ? jsonText(inputSchema, "inputSchema") : "";
  signal?.throwIfAborted();
  exposedTo.forEach(requireTrustworthy);

  return new Promise((resolve, reject) => {
    state.tools.set(name, { ...tool, schemaText });
    // Only now, so that the abort of a refused registration takes no other tool of this name away.
    onAbort(signal, (reason) => {
      unregister(state, name);
      reject(reason);
    });
    announceChange(state);
    queueTask(resolve);
  });
}

/**
 * Takes a tool off the list; executions that have begun go on.
 *
 * @param {State} state @param {string} name
 */
function unregister(state, name) {
  if (!state.tools.delete(name)) return;
  announceChange(state);
  for (const lose of state.losing?.get(name) ?? []) lose();
}

/**
 * Note how a call is lost when its tool goes, where that can happen.
 *
 * @param {State} state @param {string} name @param {() => void} lose
 * @returns {() => void} the call has ended
 */
function losable({ losing }, name, lose) {
  if (!losing) return () => {};
  const calls = losing.get(name) ?? new Set();
  losing.set(name, calls.add(lose));
  return () => void calls.delete(lose);
}

/** @param {State} state */
function announceChange({ context }) {
  queueTask(() => context.dispatchEvent(new Event("toolchange")));
}

/**
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-gettools
 *
 * @param {State} state @param {string[]} fromOrigins
 * @returns {Promise<RegisteredTool[]>}
 */
function list({ doc, tools }, fromOrigins) {
  const view = requireUsable(doc);
  fromOrigins.forEach(requireTrustworthy);
  return new Promise((resolve) => {
    queueTask(() => {
      const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      resolve(sorted.map((tool) => describe(tool, view)));
    });
  });
}

/**
 * A new object for each caller; what the tool does not have is left out, but for the title.
 *
 * @param {KeptTool} tool @param {Window & typeof globalThis} view
 * @returns {RegisteredTool}
 */
function describe({ annotations, description, schemaText, name, title }, view) {
  return {
    ...(annotations && { annotations: { ...annotations } }),
    description,
    ...(schemaText && { inputSchema: JSON.parse(schemaText) }),
    name,
    origin: view.origin,
    title,
    window: view,
  };
}

/**
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-executetool
 *
 * @param {State} state @param {{name: string, origin: string, window: Window}} target
 * @param {object} input @param {AbortSignal | undefined} signal
 * @returns {Promise<string>}
 */
function execute(state, target, input, signal) {
  const view = requireUsable(state.doc);
  const { name } = target;
  const origin = tupleOrigin(target.origin);
  if (!origin) throw failure("NotSupportedError", `No tools live in "${target.origin}".`);
  const isHere = target.window === view && origin === view.origin;
  const inputText = jsonText(input, "inputObject");
  signal?.throwIfAborted();

  const call = { controller: new AbortController(), isRunning: false };
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, (reason) => {
      reject(reason);
      queueTask(() => cancelCall(state, name, call));
    });
    const gone = () => reject(failure("UnknownError", `Tool "${name}" is gone or failed.`));
    const ended = losable(state, name, gone);
    /** @param {() => void} settle */
    const answer = (settle) => {
      const post = () => {
        stopListening();
        ended();
        settle();
      };
      if (state.postbackMs > 0) setTimeout(post, state.postbackMs);
      else queueTask(post);
    };
    queueTask(() => {
      run(state, isHere ? state.tools.get(name) : undefined, inputText, call).then(
        (text) => answer(() => resolve(text)),
        () => answer(gone),
      );
    });
  });
}

/**
 * https://webmachinelearning.github.io/webmcp/#imperative-execute-steps
 *
 * @param {State} state @param {KeptTool | undefined} tool @param {string} inputText @param {Call} call
 */
async function run({ context }, tool, inputText, call) {
  if (!tool) throw new TypeError("There is no such tool.");
  const { name: toolName, execute: handler } = tool;
  const input = requireObject(JSON.parse(inputText), "inputObject");
  call.isRunning = true;
  context.dispatchEvent(new ToolActivatedEvent("toolactivated", { toolName }));
  try {
    return answerText(await handler(input, { signal: call.controller.signal }));
  } finally {
    call.isRunning = false;
  }
}

/**
 * https://webmachinelearning.github.io/webmcp/#cancel-a-pending-tool-execution
 *
 * @param {State} state @param {string} toolName @param {Call} call
 */
function cancelCall({ context }, toolName, call) {
  if (!call.isRunning) return;
  call.isRunning = false;
  call.controller.abort();
  context.dispatchEvent(new ToolCancelEvent("toolcancel", { toolName }));
}

/**
 * As Chromium 156 makes it; the draft would have JSON text always. Throws for a Symbol.
 *
 * @param {unknown} value
 */
function answerText(value) {
  return `${isObject(value) ? JSON.stringify(value) : value}` || EMPTY_ANSWER;
}

/**
 * The document's window, if tools may be used there.
 *
 * @param {Document & {permissionsPolicy?: Policy, featurePolicy?: Policy}} doc
 */
function requireUsable(doc) {
  const view = doc.defaultView;
  if (view?.document !== doc) throw failure("InvalidStateError", "The document is not active.");
  const policy = doc.permissionsPolicy ?? doc.featurePolicy;
  const isKnown = policy?.features().includes(POLICY);
  const isAllowed = isKnown ? policy?.allowsFeature(POLICY) : canReachTop(view);
  if (!isAllowed) throw failure("NotAllowedError", `The permissions policy forbids "${POLICY}".`);
  return view;
}

/** Whether all ancestors are of the same origin. @param {Window} view @returns {boolean} */
function canReachTop(view) {
  try {
    return view.parent === view || (Boolean(view.parent.document) && canReachTop(view.parent));
  } catch {
    return false;
  }
}

/** Undefined for what does not parse and for opaque origins. @param {string} text */
function tupleOrigin(text) {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  return origin === "null" ? undefined : origin;
}

/** @param {string} text */
function requireTrustworthy(text) {
  const { protocol, hostname } = new URL(tupleOrigin(text) ?? "about:blank");
  if (TRUSTED_SCHEME.test(protocol) || LOOPBACK_HOST.test(hostname)) return;
  throw failure("SecurityError", `"${text}" is not a secure origin such as https://example.com.`);
}

/** @param {string} name @param {string} message */
function failure(name, message) {
  return new DOMException(message, name);
}

/**
 * @param {AbortSignal | undefined} signal
 * @param {(reason: unknown) => void} steps
 * @returns {() => void} takes the steps off the signal
 */
function onAbort(signal, steps) {
  const listener = () => steps(signal?.reason);
  signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}

/** @param {object} value @param {string} what */
function jsonText(value, what) {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${what} has no JSON form.`);
  return text;
}

/** @param {unknown} value @returns {Definition} */
function readTool(value) {
  const { annotations, description, execute, inputSchema, name, title } = dictionary(value, "tool");
  if (typeof execute !== "function") throw new TypeError("tool.execute must be a function.");
  return {
    annotations: annotations === undefined ? undefined : readAnnotations(annotations),
    description: requireText(description, "tool.description"),
    execute,
    inputSchema: inputSchema === undefined ? undefined : requireObject(inputSchema, "inputSchema"),
    name: requireText(name, "tool.name"),
    title: title === undefined ? "" : `${title}`.replace(/\p{Surrogate}/gu, "\uFFFD"),
  };
}

/** @param {unknown} value @returns {ToolAnnotations} */
function readAnnotations(value) {
  const hints = dictionary(value, "tool.annotations");
  const names = ["consequentialHint", "debugging", "readOnlyHint", "untrustedContentHint"];
  return Object.fromEntries(names.map((name) => [name, Boolean(hints[name])]));
}

/** @param {unknown} value */
function readRegisteredTool(value) {
  const { description, name, origin, window } = dictionary(value, "tool");
  requireText(description, "tool.description");
  const isWindow = isObject(window) && window.window === window;
  if (!isWindow) throw new TypeError("tool.window must be a window: pass what getTools listed.");
  return {
    name: requireText(name, "tool.name"),
    origin: requireText(origin, "tool.origin"),
    window,
  };
}

/** @param {any} value @param {string} what @returns {string[]} */
function readOrigins(value, what) {
  return value === undefined ? [] : [...requireObject(value, what)].map((text) => `${text}`);
}

/**
 * By its tag, so that signals of other frames will do.
 *
 * @param {any} value
 * @returns {AbortSignal | undefined}
 */
function readSignal(value) {
  const tag = Object.prototype.toString.call(value);
  if (value === undefined || tag === "[object AbortSignal]") return value;
  throw new TypeError("signal must be an AbortSignal.");
}

/** @param {unknown} value @param {string} what */
function dictionary(value, what) {
  return requireObject(value ?? {}, what);
}

/** @param {unknown} value @param {string} what @returns {any} */
function requireObject(value, what) {
  if (!isObject(value)) throw new TypeError(`${what} must be an object.`);
  return value;
}

/** @param {unknown} value @param {string} what */
function requireText(value, what) {
  if (value === undefined) throw new TypeError(`${what} is required.`);
  return `${value}`;
}

/** @param {unknown} value @returns {boolean} */
function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** @param {object} context */
function stateOf(context) {
  const state = states.get(context);
  if (!state) throw new TypeError("Illegal invocation: call it on document.modelContext.");
  return state;
}

/** @type {(() => void)[]} */
const tasks = [];

/** @type {MessageChannel | undefined} open only while tasks wait */
let channel;

/**
 * Runs each task in a turn of its own, in order; no timer, so it is not slower in a hidden page.
 *
 * @param {() => void} task must not throw
 */
function queueTask(task) {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = runTask;
  }
  tasks.push(task);
  channel.port2.postMessage(null);
}

function runTask() {
  const task = tasks.shift();
  if (!tasks.length) {
    channel?.port1.close();
    channel = undefined;
  }
  task?.();
}
