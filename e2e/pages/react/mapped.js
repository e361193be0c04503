// The same app without a bundler: its modules come from an import map.
import React, { createElement, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { bindReact } from "webtools/react";

const { useWebTool } = bindReact(React);

const GREET = { name: "greet", description: "Greet the person." };

function App() {
  const { status } = useWebTool(GREET, { execute: () => "hello" });
  return createElement("output", null, status);
}

const root = document.querySelector("#root");
const app = createElement(StrictMode, null, createElement(App));
if (root.hasChildNodes()) hydrateRoot(root, app);
else createRoot(root).render(app);
