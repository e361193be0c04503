import { createContext, useContext, useSyncExternalStore } from "../vendor/react.js";

/**
 * @typedef {import("../store.js").Store} Store
 * @typedef {import("../store.js").Snapshot} Snapshot
 * @typedef {import("../activity.js").Activity} Activity
 * @typedef {import("../chat.js").Chat} Chat
 */

export const ShopContext = createContext(
  /** @type {{store: Store, activity: Activity, cardDesk: import("../card-desk.js").CardDesk, chat: Chat} | null} */ (
    null
  ),
);

function useShopContext() {
  const context = useContext(ShopContext);
  if (!context)
    throw new Error("Render this inside <ShopContext value={{store, activity, cardDesk, chat}}>.");
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

/**
 * @template Value
 * @param {{subscribe: (listener: () => void) => () => void, getSnapshot: () => Value}} subject
 */
const useSubject = ({ subscribe, getSnapshot }) => useSyncExternalStore(subscribe, getSnapshot);

export const useActivity = () => useSubject(useShopContext().activity);

export const useCardQuestion = () => useSubject(useShopContext().cardDesk);

/** @returns {{chat: Chat, snapshot: import("../chat.js").ChatSnapshot}} */
export function useChat() {
  const { chat } = useShopContext();
  return { chat, snapshot: useSubject(chat) };
}

/** What the chat asks the person. */
export const useQuestion = () => useSubject(useShopContext().chat.questions);

export function useModelChoice() {
  const { model } = useShopContext().chat;
  return { choice: useSubject(model), choose: model.choose };
}
