/** The interfaces of the draft's IDL: https://webmachinelearning.github.io/webmcp/#model-context-container */

import {
  readExecuteOptions,
  readListOptions,
  readRegisteredTool,
  readRegisterOptions,
  readTool,
  requireObject,
  requireText,
} from "./polyfill-conversions.js";
import { begin, cancel, execute } from "./polyfill-executing.js";
import { activeView, MARKER, PROTOCOL } from "./polyfill-frames.js";
import { list, register } from "./polyfill-registering.js";

/**
 * @typedef {import("./polyfill-types.js").ModelContextTool} ModelContextTool
 * @typedef {import("./polyfill-types.js").RegisteredTool} RegisteredTool
 * @typedef {import("./polyfill-types.js").Shape} Shape
 * @typedef {import("./polyfill-types.js").State} State
 */

/** Pages construct no contexts. */
const KEY = Symbol("ModelContext");

/** @type {WeakMap<object, State>} */
const states = new WeakMap();

/** @param {Document} doc @param {Shape} shape */
export function newContext(doc, shape) {
  return new ModelContext(KEY, doc, shape);
}

/** Its methods are async so that whatever is wrong with the arguments, or with `this`, rejects. */
class ModelContext extends EventTarget {
  /** @param {[key?: symbol, doc?: Document, shape?: Shape]} args so that it has no parameters for a page to see */
  constructor(...args) {
    const [key, doc, shape] = args;
    if (key !== KEY || !doc || !shape) throw new TypeError("Illegal constructor");
    super();
    states.set(this, newState(this, doc, shape));
  }

  /**
   * @param {ModelContextTool} tool
   * @param {{signal?: AbortSignal, exposedTo?: Iterable<string>}} options
   */
  async registerTool(tool, options = {}) {
    const state = stateOf(this);
    const definition = readTool(tool);
    return register(state, definition, readRegisterOptions(options));
  }

  /** @param {{fromOrigins?: Iterable<string>}} options */
  async getTools(options = {}) {
    return list(stateOf(this), readListOptions(options));
  }

  /**
   * @param {RegisteredTool} tool
   * @param {object | string} [inputObject]
   * @param {{signal?: AbortSignal}} options
   */
  async executeTool(tool, inputObject = undefined, options = {}) {
    const state = stateOf(this);
    const target = readRegisteredTool(tool, state.shape);
    const input = readInput(inputObject, state.shape);
    return execute(state, target, input, readExecuteOptions(options));
  }

  /** What the polyfill in another frame needs of this one. @returns {State | undefined} */
  get [MARKER]() {
    return states.get(this);
  }
}

const ToolActivatedEvent = toolEventClass();
const ToolCancelEvent = toolEventClass();

export const INTERFACES = { ModelContext, ToolActivatedEvent, ToolCancelEvent };

/** @type {Record<string, ReturnType<typeof toolEventClass>>} */
const TOOL_EVENTS = { toolactivated: ToolActivatedEvent, toolcancel: ToolCancelEvent };

for (const type of ["toolchange", ...Object.keys(TOOL_EVENTS)]) {
  Object.defineProperty(ModelContext.prototype, `on${type}`, handlerAttribute(type));
}
for (const [name, { prototype }] of Object.entries(INTERFACES)) {
  for (const member of Object.getOwnPropertyNames(prototype)) {
    if (member !== "constructor") Object.defineProperty(prototype, member, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  // Said here, since whoever minifies the code gives its classes other names.
  Object.defineProperty(prototype.constructor, "name", { value: name, configurable: true });
}

/**
 * @param {ModelContext} context @param {Document} doc @param {Shape} shape
 * @returns {State}
 */
function newState(context, doc, shape) {
  /** @type {State} */
  const state = {
    protocol: PROTOCOL,
    doc,
    shape,
    tools: new Map(),
    calls: new Set(),
    fire(type, toolName) {
      const ToolEvent = TOOL_EVENTS[type];
      const event = ToolEvent ? new ToolEvent(type, { toolName }) : new Event(type);
      if (activeView(doc)) context.dispatchEvent(event);
    },
    begin: (...args) => begin(state, ...args),
    lookForForms: () => {},
    cancel: (call) => cancel(state, call),
  };
  return state;
}

/** @param {object} context */
function stateOf(context) {
  const state = states.get(context);
  if (!state) throw new TypeError("Illegal invocation: call it on document.modelContext.");
  return state;
}

/** @param {unknown} input @param {Shape} shape @returns {object | string} */
function readInput(input, { inputAsText }) {
  if (inputAsText) return requireText(input, "inputArguments");
  return input === undefined ? {} : requireObject(input, "inputObject");
}

function toolEventClass() {
  return class extends Event {
    #toolName;

    /** @param {string} type @param {EventInit & {toolName?: string}} init */
    constructor(type, init = {}) {
      if (!arguments.length) throw new TypeError("The event's type is required.");
      super(type, init);
      const toolName = init?.toolName;
      this.#toolName = toolName === undefined ? "" : `${toolName}`;
    }

    get toolName() {
      return this.#toolName;
    }
  };
}

/**
 * https://html.spec.whatwg.org/#event-handler-idl-attributes: one listener from a first value that is not null until
 * the value is null again.
 *
 * @param {string} type
 * @returns {PropertyDescriptor}
 */
function handlerAttribute(type) {
  const name = `on${type}`;
  /** @type {WeakMap<ModelContext, {value: object | null}>} */
  const handlers = new WeakMap();
  /** @type {ThisType<ModelContext>} */
  const attribute = {
    get [name]() {
      return handlerOf(this).value;
    },
    /** @param {any} value */
    set [name](value) {
      const handler = handlerOf(this);
      handler.value = typeof value === "object" || typeof value === "function" ? value : null;
      if (handler.value) this.addEventListener(type, listen);
      else this.removeEventListener(type, listen);
    },
  };
  return /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(attribute, name));

  /** @param {ModelContext} context */
  function handlerOf(context) {
    stateOf(context);
    const handler = handlers.get(context) ?? { value: null };
    handlers.set(context, handler);
    return handler;
  }

  /** @this {any} @param {Event} event */
  function listen(event) {
    const { value } = handlerOf(this);
    if (typeof value === "function" && value.call(this, event) === false) event.preventDefault();
  }
}
