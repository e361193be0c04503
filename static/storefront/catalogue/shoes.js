/** @type {import("../catalogue.js").Entry[]} */
export const shoes = [
  {
    sku: "SH-101",
    name: "Tōkyō Runner",
    priceCents: 11900,
    stock: 14,
    tags: ["running", "road", "light"],
    picture: ["runner", "coral"],
    description:
      "A light road shoe with a springy midsole and a roomy toe box, named after the long bayside loop it was tested on.",
    details: { Weight: "238 g (size 42)", Drop: "8 mm", Upper: "Recycled knit", Sizes: "36–47" },
    reviews: [
      [
        5,
        "Wore these straight out of the box for a half marathon, which is stupid, and got away with it. Not one blister.",
      ],
      [
        4,
        "Great shoe, runs about half a size small. I swapped my 42 for a 42.5 and now it is perfect.",
      ],
      [5, "Third pair. They changed the laces and I was worried, but the feel is the same 🏃"],
      [
        3,
        "Comfortable, but the light sole picks up every bit of dirt. Looks a year old after three weeks.",
      ],
      [5, "My knees stopped complaining on the long Sunday runs. That is all I wanted."],
    ],
  },
  {
    sku: "SH-102",
    name: "Scree Trail Shoe",
    priceCents: 13900,
    stock: 6,
    tags: ["running", "trail", "grip"],
    picture: ["trail", "sand"],
    description:
      "Deep lugs and a sticky rubber compound for loose stone, wet roots and everything else that would like to throw you off.",
    details: {
      Weight: "305 g (size 42)",
      "Lug depth": "6 mm",
      Upper: "Ripstop with a rubber rand",
      Sizes: "37–48",
    },
    reviews: [
      [
        5,
        "Wet granite, mud, a river crossing: no slip. On tarmac they feel like tractor tyres, which is fair.",
      ],
      [4, "Superb grip. The tongue could be a little longer, I pull it up twice on every run."],
      [2, "The lugs on the heel were worn flat after 300 km. I expected more at this price."],
    ],
  },
  {
    sku: "SH-103",
    name: "Old Pier Walking Boot",
    priceCents: 18900,
    stock: 9,
    tags: ["hiking", "leather", "waterproof"],
    picture: ["boot", "butter"],
    description:
      "Full-grain leather, a stitched welt that any cobbler can renew, and a cuff that does not bite on the way down.",
    details: {
      Weight: "610 g (size 42)",
      Leather: "2.4 mm, waxed",
      Sole: "Resolable",
      Sizes: "36–48",
    },
    reviews: [
      [
        5,
        "Needed two weekends to break in, now they fit like nothing else I own. Dry feet after six hours of sleet.",
      ],
      [
        5,
        "Had them resoled after four years, the uppers are still fine. Cheaper than cheap boots in the end.",
      ],
      [4, "Lovely boots. Heavy, though. If you count grams, look elsewhere."],
      [3, "Good leather, but the eyelets squeak. Wax helped for a while."],
    ],
  },
  {
    sku: "SH-104",
    name: "Harbour High-Top",
    priceCents: 7900,
    stock: 22,
    tags: ["canvas", "everyday"],
    picture: ["hightop", "night"],
    description:
      "Organic canvas, a vulcanised sole and a star that means nothing at all. It goes with everything you already own.",
    details: {
      Weight: "390 g (size 42)",
      Upper: "Organic cotton canvas",
      Sole: "Natural rubber",
      Sizes: "35–47",
    },
    reviews: [
      [
        4,
        "Exactly the high-top I used to buy as a teenager, only that the sole does not fall off this time.",
      ],
      [5, "Bought for my daughter, borrowed by me, bought again."],
    ],
  },
  {
    sku: "SH-105",
    name: "Lagoon Sandal",
    priceCents: 6400,
    stock: 3,
    tags: ["summer", "water", "travel"],
    picture: ["sandal", "mint"],
    description:
      "Two wide straps, a cork and rubber footbed and buckles that rinse clean. Happy in salt water.",
    details: {
      Weight: "260 g (size 42)",
      Straps: "Recycled webbing",
      Footbed: "Cork and rubber",
      Sizes: "36–46",
    },
    reviews: [
      [5, "Walked all over Lisbon in them, hills included. Straps are soft from day one."],
      [3, "They dry quickly but squeak when wet, so the whole ferry knew where I was."],
      [4, "Nice and wide at the front. I wish there were half sizes."],
    ],
  },
  {
    sku: "SH-106",
    name: "Hearth Felt Clog",
    priceCents: 5900,
    stock: 17,
    tags: ["indoor", "wool", "warm"],
    picture: ["clog", "slate"],
    description:
      "Boiled-wool house shoes with a thin rubber sole, so that you can fetch the post without changing.",
    details: {
      Material: "100% wool felt",
      Sole: "Natural rubber, 4 mm",
      Care: "Brush, air, repeat",
      Sizes: "36–47",
    },
    reviews: [
      [5, "Cold tiled kitchen, warm feet. I have given three pairs away as presents by now."],
      [4, "They stretch, so take them tight. After a month mine fit perfectly."],
    ],
  },
  {
    sku: "SH-107",
    name: "Quayside Loafer",
    priceCents: 14900,
    stock: 0,
    tags: ["leather", "office"],
    picture: ["loafer", "rose"],
    description:
      "A soft, unlined loafer with a stacked heel. Smart enough for the meeting, light enough for the walk home.",
    details: {
      Weight: "290 g (size 42)",
      Upper: "Calf leather, unlined",
      Sole: "Leather with a rubber heel",
      Sizes: "36–46",
    },
    reviews: [
      [
        4,
        "Elegant and really light. The leather sole is slippery until you have scuffed it a bit.",
      ],
    ],
  },
  {
    sku: "SH-108",
    name: "Rockpool Wellie",
    priceCents: 8400,
    stock: 11,
    tags: ["rain", "garden", "waterproof"],
    picture: ["wellie", "sea"],
    description:
      "Tall natural-rubber boots with a cotton lining and a strap that keeps them on when the mud wants them.",
    details: { Height: "34 cm", Material: "Natural rubber", Lining: "Cotton", Sizes: "35–47" },
    reviews: [],
  },
];
