// The same app without a bundler: its modules come from an import map.
import React, { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { bindReact } from "webtools/react";

const { useWebTool } = bindReact(React);

const GREET = { name: "greet", description: "Greet the person." };

function App() {
  const { status } = useWebTool(GREET, { execute: () => "hello" });
  return createElement("output", null, status);
}

createRoot(document.querySelector("#root")).render(
  createElement(StrictMode, null, createElement(App)),
);
