// React as one ES module, for the pages' import maps; bundled by the test, because React ships none.
export {
  Activity,
  Component,
  createElement,
  default,
  startTransition,
  StrictMode,
  Suspense,
  use,
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
export { flushSync } from "react-dom";
export { createRoot, hydrateRoot } from "react-dom/client";
