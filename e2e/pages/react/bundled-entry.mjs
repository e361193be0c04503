// An app that an author's bundler makes one file of: its own React, the library's hook, and no webtools.
import * as React from "react";
import { createRoot } from "react-dom/client";

import { bindReact } from "../../../static/react.js";

const { useWebTool } = bindReact(React);

const GREET = { name: "greet", description: "Greet the person." };

function App() {
  const { status } = useWebTool(GREET, { execute: () => "hello" });
  return React.createElement("output", null, status);
}

createRoot(document.querySelector("#root")).render(
  React.createElement(React.StrictMode, null, React.createElement(App)),
);
