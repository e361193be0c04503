import { createContext, useContext, useSyncExternalStore } from "../vendor/react.js";

/**
 * @typedef {import("../store.js").Store} Store
 * @typedef {import("../store.js").Snapshot} Snapshot
 * @typedef {import("../activity.js").Activity} Activity
 */

export const ShopContext = createContext(
  /** @type {{store: Store, activity: Activity, cardDesk: import("../card-desk.js").CardDesk} | null} */ (
    null
  ),
);

function useShopContext() {
  const context = useContext(ShopContext);
  if (!context)
    throw new Error("Render this inside <ShopContext value={{store, activity, cardDesk}}>.");
  return context;
}

/** @returns {Store} */
export const useStore = () => useShopContext().store;

/**
 * @template Part
 * @param {(snapshot: Snapshot) => Part} select must answer the same object while nothing has changed
 * @returns {Part}
 */
export function useShop(select) {
  const { subscribe, getSnapshot } = useStore();
  return useSyncExternalStore(subscribe, () => select(getSnapshot()));
}

export const useCart = () => useShop(({ cart }) => cart);
export const useCatalogue = () => useShop(({ catalogue }) => catalogue);
export const useVisit = () => useShop(({ visit }) => visit);

/** @param {string} sku @returns {boolean} whether an agent had to do with it a moment ago */
export const useTouched = (sku) => useShop(({ touched }) => sku in touched);

/** @returns {import("../activity.js").ActivitySnapshot} */
export function useActivity() {
  const { subscribe, getSnapshot } = useShopContext().activity;
  return useSyncExternalStore(subscribe, getSnapshot);
}

/** @returns {import("../card-desk.js").CardQuestion | null} */
export function useCardQuestion() {
  const { subscribe, getSnapshot } = useShopContext().cardDesk;
  return useSyncExternalStore(subscribe, getSnapshot);
}
