// Types of the bundled vendor/react.js (built from react-entry.mjs, not committed): the same names.
export {
  createContext,
  createElement,
  default,
  Fragment,
  lazy,
  memo,
  StrictMode,
  Suspense,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
export { flushSync } from "react-dom";
export { createRoot } from "react-dom/client";
