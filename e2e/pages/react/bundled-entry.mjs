// An app that an author's bundler makes one file of: its own React, the library's hook, and no webtools.
import * as React from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

import { bindReact } from "../../../static/react.js";

const { useWebTool } = bindReact(React);

const GREET = { name: "greet", description: "Greet the person." };

function App() {
  const { status } = useWebTool(GREET, { execute: () => "hello" });
  return React.createElement("output", null, status);
}

const root = createRoot(document.querySelector("#root"));
const app = React.createElement(React.StrictMode, null, React.createElement(App));
flushSync(() => root.render(app)); // effects included, before the document's other scripts
