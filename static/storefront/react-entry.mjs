// What the storefront uses of React. Bundled once into vendor/react.js, because React ships no ES module build.
export {
  createContext,
  createElement,
  default,
  Fragment,
  memo,
  StrictMode,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
export { flushSync } from "react-dom";
export { createRoot } from "react-dom/client";
