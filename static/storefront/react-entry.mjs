// What the storefront uses of React. Bundled once into vendor/react.js, because React ships no ES module build.
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
