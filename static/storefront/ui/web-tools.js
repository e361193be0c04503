import * as React from "../vendor/react.js";

const { createElement: h, lazy, Suspense } = React;

const LIBRARY_URL = "/webtools/react.js";

/** @typedef {{name: string, enabled?: boolean}} Props */

/** Holds nothing where the library cannot be loaded; the browser has told its console why. */
async function load() {
  try {
    const { bindReact } = await import(LIBRARY_URL);
    const { useWebTool } = bindReact(React);
    return {
      /** @param {Props} props */
      default: function Held({ name, enabled }) {
        useWebTool(name, { enabled });
        return null;
      },
    };
  } catch {
    return { default: () => null };
  }
}

const Held = lazy(load);

/** Calls a tool for the person. @param {string} name of one that is held, so the library is there */
export const callTool = (name) =>
  /** @type {{webtools?: import("../../host.js").Host}} */ (window).webtools?.call(name);

/**
 * Holds a tool that Python defines while it is rendered. A component, because the shop does not wait for the library.
 *
 * @param {Props} props
 */
export const WebTool = (props) => h(Suspense, null, h(Held, props));
