/** @type {import("../catalogue.js").Entry[]} */
export const desk = [
  {
    sku: "DK-501",
    name: "Crane Desk Lamp",
    priceCents: 11900,
    stock: 8,
    tags: ["light", "office", "metal"],
    picture: ["lamp", "plum"],
    description:
      "Two springs, three joints and a light that goes where you push it and stays there. The switch is where your hand is.",
    details: {
      Bulb: "E27, LED included",
      Reach: "85 cm",
      Cable: "1.8 m textile",
      Base: "Steel, 2.1 kg",
    },
    reviews: [
      [5, "Moves with one finger and does not sink. The lamp from my drawing class, only newer."],
      [4, "Lovely light, good weight. The cable could be longer for my corner."],
      [5, "I put one on each side of the desk and stopped getting headaches."],
    ],
  },
  {
    sku: "DK-502",
    name: "Logbook Notebook A5",
    priceCents: 1650,
    stock: 60,
    tags: ["paper", "writing", "gift"],
    picture: ["notebook", "mint"],
    description:
      "Sewn pages that lie flat, numbered, with an index at the front and paper that does not mind a fountain pen.",
    details: {
      Pages: "192, numbered",
      Paper: "100 g/m², cream",
      Ruling: "Dots, 5 mm",
      Ribbons: "1",
    },
    reviews: [
      [
        5,
        "No bleeding, no ghosting, even with a broad nib. I bought a stack before you change the paper.",
      ],
      [4, "Lies flat from the first page. Would take a second ribbon."],
      [5, "My seventh. The shelf looks rather serious by now."],
      [3, "Good paper, but the corners bump easily in a bag."],
    ],
  },
  {
    sku: "DK-503",
    name: "Estuary Fountain Pen",
    priceCents: 4200,
    stock: 19,
    tags: ["writing", "gift", "refillable"],
    picture: ["pen", "coral"],
    description:
      "A steel nib that starts every time, a converter in the box, and a cap that posts without tipping the balance.",
    details: {
      Nib: "F, M or B, steel",
      Filling: "Converter or cartridge",
      Weight: "24 g",
      Length: "138 mm",
    },
    reviews: [
      [
        5,
        "Writes at once, even after two weeks in a drawer. My handwriting has not improved, alas.",
      ],
      [4, "Smooth medium nib, runs a bit wet on cheap paper."],
      [4, "Nice weight. I dropped it on its clip and it is still straight."],
    ],
  },
  {
    sku: "DK-504",
    name: "Pianissimo Keyboard",
    priceCents: 12900,
    stock: 5,
    tags: ["computer", "office", "quiet"],
    picture: ["keyboard", "sand"],
    description:
      "Mechanical switches that nobody on the call will hear, in a case that does not wander about the desk.",
    details: {
      Layout: "65%, ISO or ANSI",
      Switches: "Silent, 45 g",
      Connection: "USB-C, Bluetooth",
      Weight: "720 g",
    },
    reviews: [
      [5, "My partner works across the table from me and we are still together. Recommended."],
      [4, "Great to type on. I miss the function row on some days."],
      [2, "Bluetooth dropped out twice a day until I updated it. Fine by cable."],
    ],
  },
  {
    sku: "DK-505",
    name: "First Bell Alarm Clock",
    priceCents: 3400,
    stock: 24,
    tags: ["clock", "bedroom", "metal"],
    picture: ["clock", "butter"],
    description:
      "Two bells, a sweeping second hand that does not tick, and a light at the push of a button. Keeps your phone out of the bedroom.",
    details: { Diameter: "10 cm", Battery: "1 × AA", Movement: "Silent sweep", Alarm: "Two bells" },
    reviews: [
      [5, "Silent at night and merciless in the morning. Exactly as described."],
      [4, "Looks nice. The bell is LOUD, you have been told."],
    ],
  },
  {
    sku: "DK-506",
    name: "Odds & Ends Pen Pot",
    priceCents: 2200,
    stock: 33,
    tags: ["office", "storage", "stoneware"],
    picture: ["pots", "night"],
    description:
      "A heavy pot that takes scissors without toppling over. The felt underneath is kind to old tables.",
    details: {
      Height: "11 cm",
      Diameter: "9.5 cm",
      Material: "Stoneware, felt base",
      Weight: "540 g",
    },
    reviews: [
      [4, "Holds the long scissors, the ruler and about forty pens of which three work."],
      [5, "A simple thing done well. The glaze is deeper than in the picture."],
    ],
  },
  {
    sku: "DK-507",
    name: "Jetty Laptop Stand",
    priceCents: 6900,
    stock: 2,
    tags: ["computer", "office", "wood"],
    picture: ["stand", "moss"],
    description:
      "Solid ash at the right height, slotted together without a screw. Comes apart for the holidays.",
    details: { Height: "15 cm", Fits: "11 to 16 inches", Material: "Oiled ash", Weight: "980 g" },
    reviews: [
      [5, "My neck thanks me every evening. Assembled in ten seconds, no tools."],
      [4, "Steady as long as you do not type on the laptop itself. With a keyboard, perfect."],
      [5, "You can smell the oil for a week. I did not mind at all."],
    ],
  },
  {
    sku: "DK-508",
    name: "Snail Tape Dispenser",
    priceCents: 1900,
    stock: 0,
    tags: ["office", "paper", "metal"],
    picture: ["tape", "slate"],
    description:
      "So heavy that one hand is enough. Takes the ordinary rolls from any shop, and the blade cuts straight.",
    details: {
      Weight: "1.2 kg",
      Tape: "Up to 19 mm",
      Base: "Cast iron, rubber feet",
      Includes: "One roll",
    },
    reviews: [[4, "One-handed wrapping at last. It could also stop a door in a gale."]],
  },
];
