import { apply } from "/webtools/polyfill.js";
import { expose } from "/webtools/webtools.js";

const query = new URLSearchParams(location.search);

// ?cancels: behave as Chromium up to 152, which loses the calls of a tool that goes.
if (query.has("cancels")) {
  apply(document, { force: true, cancelsCalls: "onUnregister", postbackMs: 50 });
}

expose("shop", { leave: (path) => location.assign(path + location.search) });

/** Calls a tool whose answer is kept for the next page. */
window.callAndKeep = async (name) => {
  const tool = (await document.modelContext.getTools()).find((each) => each.name === name);
  document.modelContext.executeTool(tool, {}).then(
    (text) => sessionStorage.setItem(name, text),
    (error) => sessionStorage.setItem(name, `lost: ${error.name}`),
  );
};

/** When it was last done: a page that is left cannot tell any more. */
window.note = (name) => sessionStorage.setItem(name, String(Date.now()));
