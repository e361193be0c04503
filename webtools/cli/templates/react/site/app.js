import { bindReact } from "/webtools/react.js";
import { expose } from "/webtools/webtools.js";
import React, {
  createElement as h,
  createRoot,
  StrictMode,
  useSyncExternalStore,
} from "./vendor/react.js";

const { useWebTool } = bindReact(React);

const NOTES = new Map([
  ["Groceries", "Milk, bread, apples"],
  ["Travel", "Train at 9:40, platform 3"],
]);

/** What is open, and who wants to hear of it. */
let openTitle = null;
const listeners = new Set();

function open(title) {
  if (title !== null && !NOTES.has(title)) {
    throw Object.assign(new Error(`There is no note "${title}".`), { code: "NO_SUCH_NOTE" });
  }
  openTitle = title;
  for (const tell of listeners) tell();
}

function subscribe(tell) {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

function Note({ title }) {
  useWebTool(["read_note", "close_note"], { resourceId: title });
  return h(
    "article",
    null,
    h("h2", null, title),
    h("p", null, NOTES.get(title)),
    h("button", { onClick: () => open(null) }, "Close"),
  );
}

function App() {
  const title = useSyncExternalStore(subscribe, () => openTitle);
  const buttons = Array.from(NOTES.keys(), (each) =>
    h("button", { key: each, onClick: () => open(each) }, each),
  );
  return h("main", null, h("nav", null, buttons), title && h(Note, { title }));
}

createRoot(document.querySelector("#root")).render(h(StrictMode, null, h(App)));

// What notes.py may use of this app.
expose("notes", {
  titles: () => [...NOTES.keys()],
  text: () => NOTES.get(openTitle) ?? null,
  open,
});
