import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { FakeNode, FakeObserver, giveDocument } from "./fake_dom.mjs";
import { givePage } from "./fake_webtools.mjs";
import { forbidWarnings, replace, turn, until } from "./fakes.mjs";

forbidWarnings();

/** @typedef {import("node:test").TestContext} TestContext */

let count = 0;

/** Loads the module anew, as another page does. @returns {Promise<any>} */
const load = async () => {
  const { holdWhile, withTools } = await import(`../../static/elements.js?${(count += 1)}`);
  return { holdWhile, withTools };
};

const DEFINITION = { name: "zoom", description: "Zoom the map." };
const zoom = () => "zoomed";

/** A page with webtools, and an element that is in no document. @param {TestContext} context */
async function newPage(context) {
  const { document, newElement } = giveDocument(context);
  const webtools = givePage(context);
  return { webtools, document, newElement, element: newElement(), ...(await load()) };
}

describe("holdWhile", () => {
  test("holds while the element is in the document, as often as it comes", async (context) => {
    const { webtools, document, element, holdWhile } = await newPage(context);
    holdWhile(element, "search", { resourceId: "doc-1" });
    await turn();
    assert.deepEqual(webtools.asked, []);
    for (let time = 0; time < 2; time += 1) {
      document.append(element);
      await turn();
      assert.deepEqual(webtools.asked, [["hold", "search", { resourceId: "doc-1" }]]);
      assert.deepEqual(webtools.news(), ["hold search"]);
      element.remove();
      await turn();
      assert.deepEqual(webtools.news(), ["release search"]);
    }
  });

  test("holds at once what is in the document, and asks for nothing when it is moved", async (context) => {
    const { webtools, document, newElement, element, holdWhile } = await newPage(context);
    const other = newElement();
    document.append(other);
    document.append(element);
    holdWhile(element, "search");
    assert.deepEqual(webtools.news(), ["hold search"]);
    other.append(element);
    await turn();
    assert.deepEqual(webtools.news(), []);
  });

  test("ends with release, which is harmless twice", async (context) => {
    const { webtools, document, element, holdWhile } = await newPage(context);
    document.append(element);
    const hold = holdWhile(element, "search");
    hold.release();
    hold.release();
    assert.deepEqual(webtools.news(), ["hold search", "release search"]);
    element.remove();
    document.append(element);
    await turn();
    assert.deepEqual(webtools.news(), []);
  });

  test("released before the element comes, it never holds", async (context) => {
    const { webtools, document, element, holdWhile } = await newPage(context);
    holdWhile(element, "search").release();
    document.append(element);
    await turn();
    assert.deepEqual(webtools.asked, []);
  });

  test("the element owns the tools that have an execute, and a list is held as a set", async (context) => {
    const { webtools, document, element, holdWhile } = await newPage(context);
    document.append(element);
    holdWhile(element, ["search", [DEFINITION, zoom]]);
    const [[, [[definition, handler]], options], [, name, none]] = webtools.asked;
    assert.deepEqual([definition, handler()], [DEFINITION, "zoomed"]);
    assert.equal(options.owner, element);
    assert.deepEqual([name, none], ["search", { resourceId: undefined }]);
    holdWhile(element, DEFINITION, { execute: zoom }).release();
    assert.deepEqual(webtools.news().slice(-2), ["define zoom", "release zoom"]);
  });

  test("has the status of the tool that is least far", async (context) => {
    const { webtools, document, element, holdWhile } = await newPage(context);
    document.append(element);
    const hold = holdWhile(element, ["search", [DEFINITION, zoom]]);
    assert.equal(hold.status, "unknown");
    webtools.states = [{ name: "search", state: "registered" }];
    assert.equal(hold.status, "unknown");
    webtools.states.push({ name: "zoom", state: "leaving" });
    assert.equal(hold.status, "leaving");
  });

  test("waits for webtools, and holds nothing for an element that is gone by then", async (context) => {
    const { document, newElement } = giveDocument(context);
    Object.assign(document, { readyState: "interactive", addEventListener() {} });
    const window = new EventTarget();
    replace(context, "addEventListener", window.addEventListener.bind(window));
    const { holdWhile } = await load();
    const [stays, goes] = [newElement(), newElement()];
    for (const each of [stays, goes]) document.append(each);
    const hold = holdWhile(stays, "search");
    holdWhile(goes, "other");
    goes.remove();
    await turn();
    assert.equal(hold.status, "unknown");
    const webtools = givePage(context);
    window.dispatchEvent(new Event("webtools"));
    await turn();
    assert.deepEqual(webtools.news(), ["hold search"]);
  });

  describe("in shadow trees", () => {
    test("sees the element go, and each host of its tree", async (context) => {
      const { webtools, document, newElement, element, holdWhile } = await newPage(context);
      const [outer, inner] = [newElement(), newElement()];
      const [outerRoot, innerRoot] = [outer.attachShadow(), inner.attachShadow()];
      document.append(outer);
      outerRoot.append(inner);
      innerRoot.append(element);
      holdWhile(element, "search");
      assert.deepEqual(webtools.news(), ["hold search"]);
      for (const [node, parent] of [
        [element, innerRoot],
        [inner, outerRoot],
        [outer, document],
      ]) {
        node.remove();
        await turn();
        parent.append(node);
        await turn();
        assert.deepEqual(webtools.news(), ["release search", "hold search"]);
      }
    });

    test("sees an element come that is put into one next, or that comes out of a fragment", async (context) => {
      const { webtools, document, newElement, element, holdWhile } = await newPage(context);
      const host = newElement();
      const root = host.attachShadow();
      document.append(host);
      holdWhile(element, "search");
      root.append(element);
      await turn();
      assert.deepEqual(webtools.news(), ["hold search"]);

      const another = newElement();
      const anotherRoot = another.attachShadow();
      document.append(another);
      await turn();
      const fragment = new FakeNode(11, document);
      const part = newElement();
      fragment.append(part);
      holdWhile(part, "other");
      await turn();
      anotherRoot.append(part);
      await turn();
      assert.deepEqual(webtools.news(), ["hold other"]);
    });
  });

  test("an element in another document is gone", async (context) => {
    const { webtools, document, element, holdWhile } = await newPage(context);
    const frame = new FakeNode(9);
    document.append(element);
    holdWhile(element, "search");
    frame.append(element);
    await turn();
    assert.deepEqual(webtools.news(), ["hold search", "release search"]);
    document.append(element);
    await turn();
    assert.deepEqual(webtools.news(), ["hold search"]);
  });

  test("one observer watches them all, and observes nothing when the last is released", async (context) => {
    const { document, newElement, holdWhile } = await newPage(context);
    const holds = Array.from({ length: 100 }, () => {
      const element = newElement();
      document.append(element);
      return [holdWhile(element, "search"), holdWhile(element, "other")];
    }).flat();
    const [observer, ...others] = FakeObserver.all;
    assert.deepEqual([observer.roots, others], [new Set([document]), []]);
    const last = holds.pop();
    for (const hold of holds) hold.release();
    assert.equal(observer.roots.size, 1);
    last.release();
    assert.equal(observer.roots.size, 0);
  });

  test("elements that are gone are not kept alive, and watched no longer", async (context) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    const { webtools, document, newElement, holdWhile } = await newPage(context);
    let collected = 0;
    const registry = new FinalizationRegistry(() => (collected += 1));
    const newWatched = () => {
      const element = newElement();
      registry.register(element, undefined);
      document.append(element);
      return element;
    };
    const hold = await (async () => {
      const [named, defined] = [newWatched(), newWatched()];
      holdWhile(defined, DEFINITION, { execute: () => defined.nodeType });
      const kept = holdWhile(named, "search");
      for (const each of [named, defined]) each.remove();
      await turn();
      return kept;
    })();
    assert.deepEqual(webtools.news().slice(2), ["release zoom", "release search"]);
    await until(() => {
      collect();
      return collected === 2;
    });
    document.append(newElement());
    await turn();
    assert.equal(FakeObserver.all[0].roots.size, 0);
    assert.equal(hold.status, "unknown");
  });

  /** @type {Record<string, [(element: any) => any[], RegExp]>} */
  const table = {
    "no element": [() => [null, "search"], /null is no element.*querySelector/],
    "a selector": [() => ["#cart", "search"], /is no element/],
    "no tool": [(element) => [element], /holdWhile: give a tool's name/],
    "a definition without execute": [(element) => [element, DEFINITION], /"zoom" needs a function/],
    "an option that there is not": [
      (element) => [element, "search", { enabled: true }],
      /no option enabled; there is execute, resourceId/,
    ],
    "a resource that is no text": [
      (element) => [element, "search", { resourceId: 7 }],
      /resourceId must be a text/,
    ],
  };
  for (const [what, [args, expected]] of Object.entries(table)) {
    test(`refuses ${what}`, async (context) => {
      const { webtools, document, element, holdWhile } = await newPage(context);
      document.append(element);
      assert.throws(() => holdWhile(...args(element)), { name: "TypeError", message: expected });
      assert.deepEqual([webtools.asked, FakeObserver.all], [[], []]);
    });
  }
});

/**
 * A page whose custom elements have their callbacks called by hand.
 *
 * @param {TestContext} context
 */
async function newElements(context) {
  const page = await newPage(context);
  const { document, withTools } = page;
  class Base extends FakeNode {
    localName = "map-view";
    /** @type {string[]} */
    told = [];

    constructor() {
      super(1, document);
    }

    connectedCallback() {
      this.told.push("connected");
    }

    disconnectedCallback() {
      this.told.push("disconnected");
    }
  }
  const come = (/** @type {any} */ element) => {
    document.append(element);
    element.connectedCallback();
  };
  const go = (/** @type {any} */ element) => {
    element.remove();
    element.disconnectedCallback();
  };
  return { ...page, Base, Tools: withTools(Base), come, go };
}

describe("withTools", () => {
  test("an element holds its class's tools while it is there, and its base's callbacks run", async (context) => {
    const { webtools, Tools, come, go } = await newElements(context);
    class MapView extends Tools {
      static tools = ["search", [DEFINITION, "zoom"]];
    }
    MapView.prototype.zoom = zoom;
    const element = new MapView();
    assert.deepEqual(webtools.asked, []);
    come(element);
    assert.equal(webtools.asked[0][2].owner, element);
    go(element);
    assert.deepEqual(webtools.news(), [
      "define zoom",
      "hold search",
      "release zoom",
      "release search",
    ]);
    assert.deepEqual(element.told, ["connected", "disconnected"]);
  });

  test("a handler is a method by its name, the newest, or a function; both are the element's", async (context) => {
    const { webtools, Tools, come } = await newElements(context);
    class MapView extends Tools {
      static tools = [
        [DEFINITION, "zoom"],
        [
          { ...DEFINITION, name: "pan" },
          /** @this {any} @param {any[]} call */
          function (...call) {
            return [this, ...call];
          },
        ],
      ];
      zoom = (/** @type {any[]} */ ...call) => ["first", ...call];
    }
    const element = new MapView();
    come(element);
    const [[, zoomHandler], [, panHandler]] = webtools.asked[0][1];
    assert.deepEqual(zoomHandler(1, 2), ["first", 1, 2]);
    element.zoom = () => ["second"];
    assert.deepEqual(zoomHandler(1, 2), ["second"]);
    assert.deepEqual(panHandler(1, 2), [element, 1, 2]);
  });

  test("what an element wants is held anew when the agent would see another thing, and only then", async (context) => {
    const { webtools, Tools, come } = await newElements(context);
    class MapView extends Tools {
      /** @type {string | null} */
      resourceId = null;
      names = ["search"];
      answer = "first";
      get tools() {
        const { answer } = this;
        return [...this.names, [DEFINITION, () => answer]];
      }
    }
    const element = new MapView();
    element.updateTools();
    assert.deepEqual(webtools.news(), []);
    come(element);
    assert.deepEqual(webtools.asked[1][2], { resourceId: undefined });
    const handler = webtools.asked[0][1][0][1];
    assert.deepEqual(webtools.news(), ["define zoom", "hold search"]);
    element.answer = "second";
    element.updateTools();
    assert.deepEqual([webtools.news(), handler()], [[], "second"]);
    element.resourceId = "doc-1";
    element.updateTools();
    const again = ["release zoom", "release search", "define zoom", "hold search"];
    assert.deepEqual(webtools.asked.at(-1)?.[2], { resourceId: "doc-1" });
    assert.deepEqual(webtools.news(), again);
    element.names = [];
    element.updateTools();
    assert.deepEqual(webtools.news(), ["release zoom", "release search", "define zoom"]);
  });

  test("a move, whatever callbacks tell of it, asks for nothing", async (context) => {
    const { webtools, document, newElement, Tools, come } = await newElements(context);
    class MapView extends Tools {
      static tools = ["search"];
    }
    const element = new MapView();
    come(element);
    const other = newElement();
    document.append(other);
    other.append(element);
    element.disconnectedCallback();
    element.connectedCallback();
    assert.deepEqual(webtools.news(), ["hold search"]);
  });

  test("an element in another document is gone", async (context) => {
    const { webtools, Tools, come } = await newElements(context);
    class MapView extends Tools {
      static tools = ["search"];
    }
    const element = new MapView();
    come(element);
    new FakeNode(9).append(element);
    element.disconnectedCallback();
    element.connectedCallback();
    assert.deepEqual(webtools.news(), ["hold search", "release search"]);
  });

  test("an element without tools asks for nothing, and loads nothing", async (context) => {
    giveDocument(context); // where any listener would be an error
    const { withTools } = await load();
    const element = new (withTools(FakeNode))(1);
    /** @type {any} */ (globalThis).document.append(element);
    element.connectedCallback();
    element.disconnectedCallback();
  });

  test("without HTMLElement, as on a server, classes and elements can be made, and hold nothing", async () => {
    const { withTools } = await load();
    class MapView extends withTools() {
      static tools = ["search"];
    }
    const element = new MapView();
    element.connectedCallback();
    element.disconnectedCallback();
    assert.equal("window" in globalThis, false);
  });

  /** @type {Record<string, [unknown, RegExp]>} */
  const table = {
    "tools that are no list": ["search", /<map-view>: its tools must be a list/],
    "a method that there is not": [[[DEFINITION, "pan"]], /<map-view>: .*pan.* is no method of it/],
    "a pair without a method": [[[DEFINITION]], /<map-view>: undefined is no method/],
    "a definition that is alone": [[DEFINITION], /<map-view>: .* "zoom" needs a function/],
    "a tool twice": [["search", "search"], /<map-view>: two tools .* "search"/],
  };
  for (const [what, [tools, expected]] of Object.entries(table)) {
    test(`${what} is an error when the element comes, after its base has been told`, async (context) => {
      const { webtools, Tools, come } = await newElements(context);
      const element = new (class extends Tools {
        static tools = tools;
      })();
      assert.throws(() => come(element), { name: "TypeError", message: expected });
      assert.deepEqual([element.told, webtools.asked], [["connected"], []]);
    });
  }
});
