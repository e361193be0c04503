/** Ten tools of React components, registered by the hook of the npm package `usewebmcp`. */
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { useWebMCP } from "usewebmcp";

const inputSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};

function Echo({ name }) {
  useWebMCP({ name, description: "Return the text.", inputSchema, execute: ({ text }) => text });
  return null;
}

createRoot(document.body).render(
  Array.from({ length: 10 }, (_, number) =>
    createElement(Echo, { key: number, name: `echo_${number}` }),
  ),
);
