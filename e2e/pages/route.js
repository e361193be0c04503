import { apply } from "/webtools/polyfill.js";

// ?cancels: behave as Chromium up to 152, which loses the calls of a tool that goes.
if (new URLSearchParams(location.search).has("cancels")) {
  apply(document, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
}

await import("/webtools/webtools.js");

const { webtools } = window;
const definition = (name) => ({ name, description: `${name}, by JavaScript.` });

/** Lets handlers in JavaScript go on. */
let goOn = Promise.withResolvers();
window.goOn = () => {
  goOn.resolve();
  goOn = Promise.withResolvers();
};

async function handler({ action }, { isCurrent, confirm }) {
  if (action === "ask") await confirm("Pay now?");
  if (action === "wait") await goOn.promise;
  return isCurrent() ? "current" : "stale";
}

/** Comes to a route that holds these: Python's by name, JavaScript's by "js_…"; it waits for `arrive`. */
window.leaveFor = (names, path) => {
  const loaded = Promise.withResolvers();
  window.arrive = () => {
    loaded.resolve();
    return gone;
  };
  const gone = webtools.navigate(async (route) => {
    if (path) history.pushState(null, "", path);
    await loaded.promise;
    for (const name of names) {
      if (name.startsWith("js_")) route.define(definition(name), handler);
      else route.hold(name);
    }
  });
};

window.go = (...names) => {
  leaveFor(names);
  return arrive();
};

window.keep = () => void webtools.define(definition("js_kept"), handler);

window.startPython = () => webtools.start({ app: "/route.py" });

webtools.expose("shop", {
  show: (path) => void history.pushState(null, "", path),
  go: (...names) => go(...names),
});
