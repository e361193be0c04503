// Elements that want a tool of Python's, alpha, and one of JavaScript's, omega; the tests say where they are.
import { holdWhile, withTools } from "/webtools/elements.js";
import { expose } from "/webtools/webtools.js";

/** How many observers were made. */
window.observers = 0;
window.MutationObserver = class extends MutationObserver {
  constructor(callback) {
    super(callback);
    window.observers += 1;
  }
};

/** What lets each waiting call go on. */
const waiting = [];

/** What a tool does when it is called with `{do: name}`; a test adds its own. */
const actions = {
  nothing: () => "done",
  wait: () => new Promise((resolve) => waiting.push(() => resolve("waited"))),
  ask: async ({ isCurrent }) => {
    await actions.wait();
    return isCurrent() ? "current" : "stale";
  },
};

const run = async (action, call) => (await actions[action](call)) ?? "done";
expose("lab", { run: (action) => run(action) });

const OMEGA = {
  name: "omega",
  description: "Do something in the page.",
  inputSchema: {
    type: "object",
    properties: { do: { type: "string" }, token: { type: "integer" } },
  },
};

customElements.define(
  "tool-panel",
  class extends withTools(HTMLElement) {
    static tools = ["alpha", [OMEGA, "run"]];

    run(input, call) {
      return run(input.do ?? "nothing", call);
    }
  },
);

/** Renders into its shadow tree a microtask after something has changed, as the base classes of libraries do. */
class Reactive extends HTMLElement {
  static observedAttributes = ["doc", "closed"];

  connectedCallback() {
    this.renderRoot ??= this.attachShadow({ mode: "open" });
    this.requestUpdate();
  }

  attributeChangedCallback() {
    this.requestUpdate();
  }

  async requestUpdate() {
    await undefined;
    if (!this.renderRoot) return;
    this.renderRoot.textContent = this.getAttribute("doc");
    this.updated();
  }
}

customElements.define(
  "reactive-panel",
  class extends withTools(Reactive) {
    get tools() {
      return this.hasAttribute("closed")
        ? []
        : ["alpha", [OMEGA, (input, call) => run(input.do ?? "nothing", call)]];
    }

    get resourceId() {
      return this.getAttribute("doc");
    }

    updated() {
      this.updateTools();
    }
  },
);

window.holdWhile = holdWhile;
window.withTools = withTools;
window.lab = {
  actions,

  /** An element that is in no document yet, by how it owns its tools. */
  make: {
    holdWhile: () => {
      const element = document.createElement("section");
      holdWhile(element, ["alpha", [OMEGA, ({ do: name = "nothing" }, call) => run(name, call)]]);
      return element;
    },
    "tool-panel": () => document.createElement("tool-panel"),
    "reactive-panel": () => document.createElement("reactive-panel"),
  },

  /** Let the calls that wait go on. */
  goOn: () => waiting.splice(0).forEach((each) => each()),
};
