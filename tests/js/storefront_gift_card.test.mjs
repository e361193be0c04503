import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createCardDesk } from "../../static/storefront/card-desk.js";
import { CARD_HEADER, DEMO_NUMBERS } from "../../static/storefront/gift-cards.js";
import { restoreOrders } from "../../static/storefront/orders.js";
import { shopFunctions } from "../../static/storefront/page.js";
import { code, DETAILS, memory, open, PLENTY } from "./storefront.mjs";

const [SMALL] = DEMO_NUMBERS; // €25

describe("a gift card", () => {
  test("lowers what the next order costs, and no other", () => {
    const { store } = open();
    store.add(PLENTY, 2); // €33
    store.useCard(` ${SMALL.toLowerCase()} `);
    assert.deepEqual(store.getSnapshot().giftCard, { ending: "7731", cents: 2500 });
    const order = store.place(DETAILS);
    assert.deepEqual([order.giftCents, order.totalCents], [2500, 3300 + 1290 - 2500]);
    assert.deepEqual(restoreOrders([order]), [order]);
    store.add(PLENTY, 1);
    assert.equal(store.place(DETAILS).giftCents, 0);
  });

  test("takes off no more than there is to pay", () => {
    const { store } = open();
    store.add(PLENTY, 1); // €16.50
    store.useCard(SMALL);
    const order = store.place({ ...DETAILS, delivery: "economy" });
    assert.deepEqual([order.giftCents, order.totalCents], [1650, 0]);
  });

  test("that has taken off more than there was to pay is no saved order's", () => {
    const { store } = open();
    store.add(PLENTY, 1);
    const order = store.place(DETAILS);
    assert.deepEqual(restoreOrders([{ ...order, giftCents: order.totalCents + 1 }]), []);
    const { giftCents: _, ...old } = order;
    assert.deepEqual(restoreOrders([old]), [order]);
  });

  test("can be taken off again", () => {
    const { store } = open();
    store.useCard(SMALL);
    store.dropCard();
    assert.equal(store.getSnapshot().giftCard, null);
  });

  test("that the shop does not know is refused without its number", () => {
    const { store } = open();
    for (const number of ["PHGC-0000-0000", "", null, 7])
      assert.throws(() => store.useCard(number), code("BAD_GIFT_CARD", /^[^\d]*$/));
    assert.equal(store.getSnapshot().giftCard, null);
  });

  test("has its number kept nowhere", () => {
    const storage = memory();
    const { store } = open({ storage });
    store.add(PLENTY, 1);
    store.useCard(SMALL);
    store.place(DETAILS);
    const kept = JSON.stringify([store.getSnapshot(), [...storage.items]]);
    assert.ok(!kept.includes(SMALL));
  });

  test("is used by an agent through the page's credential, for as much as it wants", () => {
    const { store } = open();
    const shop = shopFunctions(store);
    assert.throws(() => shop.useCard({ [CARD_HEADER]: SMALL }, null), code("EMPTY_CART"));
    shop.add(PLENTY, 2);
    const answer = { cardCents: 1000, cartCents: 3300, leftCents: 2300 };
    assert.deepEqual(shop.useCard({ [CARD_HEADER]: SMALL }, 1000), answer);
    assert.equal(shop.giftCents(), 1000);
    assert.throws(() => shop.useCard({}, null), code("BAD_GIFT_CARD"));
  });
});

describe("the desk where a card is asked for", () => {
  test("gives the number to who asked, and closes", async () => {
    const desk = createCardDesk();
    let changes = 0;
    desk.subscribe(() => changes++);
    const asked = desk.ask(new AbortController().signal);
    desk.getSnapshot()?.answer(SMALL);
    assert.equal(await asked, SMALL);
    assert.deepEqual([desk.getSnapshot(), changes], [null, 2]);
  });

  test("closes where nobody waits any more", async () => {
    const desk = createCardDesk();
    const caller = new AbortController();
    const asked = desk.ask(caller.signal);
    caller.abort();
    assert.equal(await asked, null);
    assert.equal(desk.getSnapshot(), null);
    assert.equal(await desk.ask(caller.signal), null);
  });

  test("asks one thing at a time", async () => {
    const desk = createCardDesk();
    const { signal } = new AbortController();
    const first = desk.ask(signal);
    assert.equal(await desk.ask(signal), null);
    desk.getSnapshot()?.answer(null);
    assert.equal(await first, null);
  });
});
