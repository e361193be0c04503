import { createActivity } from "./activity.js";
import { createCardDesk } from "./card-desk.js";
import { openCatalogue } from "./catalogue.js";
import { createChat } from "./chat.js";
import { runDeals } from "./deals.js";
import { CARD_HEADER } from "./gift-cards.js";
import { connectHistory, currentPath, savedScroll } from "./history.js";
import { createModelChoice } from "./model-choice.js";
import { shopFunctions } from "./page.js";
import { createQuestionDesk } from "./question-desk.js";
import {
  CART_KEY,
  createStorage,
  localStorageOf,
  ORDERS_KEY,
  sessionStorageOf,
} from "./storage.js";
import { createStore } from "./store.js";
import { ShopContext } from "./ui/hooks.js";
import { Shell } from "./ui/shell.js";
import { createElement as h, createRoot, StrictMode } from "./vendor/react.js";

/** @typedef {import("./activity.js").Webtools & import("./chat.js").Webtools & Pick<import("../host.js").Host, "credentialsWith">} Host */

const WEBTOOLS_URL = "/webtools/webtools.js";

/** @returns {Promise<Host | null>} null where the page has to do without; the browser has told its console why */
async function loadWebtools() {
  try {
    await import(WEBTOOLS_URL);
    return /** @type {{webtools?: Host}} */ (/** @type {unknown} */ (window)).webtools ?? null;
  } catch {
    return null;
  }
}

const store = createStore({
  catalogue: openCatalogue(),
  storage: createStorage(localStorageOf(window)),
  path: currentPath(window),
  scrollY: savedScroll(window),
});
const activity = createActivity();
const cardDesk = createCardDesk();
const chat = createChat({
  questions: createQuestionDesk(),
  model: createModelChoice(sessionStorageOf(window)),
});
runDeals(store);

connectHistory(store, window);
window.addEventListener("storage", ({ key }) => {
  if (key === CART_KEY || key === ORDERS_KEY || key === null) store.adopt();
});

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
createRoot(root).render(
  h(StrictMode, null, h(ShopContext, { value: { store, activity, cardDesk, chat } }, h(Shell))),
);

const webtools = await loadWebtools();
if (webtools) {
  webtools.expose("shop", shopFunctions(store));
  webtools.credentialsWith(async ({ service, signal }) => {
    const number = service === "gift-cards" ? await cardDesk.ask(signal) : null;
    return number === null ? null : { headers: { [CARD_HEADER]: number } };
  });
  chat.connect(webtools);
  activity.connect(webtools);
}
