/** @type {import("../catalogue.js").Entry[]} */
export const audio = [
  {
    sku: "AU-601",
    name: "Offshore Headphones",
    priceCents: 22900,
    stock: 11,
    tags: ["wireless", "noise-cancelling", "travel"],
    picture: ["headphones", "slate"],
    description:
      "Closed headphones that switch the engine noise off and leave the music on. Everything that wears out can be replaced.",
    details: {
      Battery: "38 h",
      Weight: "265 g",
      Connection: "Bluetooth, 3.5 mm",
      Spares: "Pads, band, battery",
    },
    reviews: [
      [5, "Eleven hours on a plane and I heard neither the engines nor the baby. Sorry, baby."],
      [4, "Clear, not boomy. The case is a bit large for my bag."],
      [
        5,
        "Changed the ear pads myself after two years, five minutes, no glue. More of this, please.",
      ],
      [3, "Good sound, but they press on my glasses after a couple of hours."],
    ],
  },
  {
    sku: "AU-602",
    name: "Sandpiper Earbuds",
    priceCents: 12900,
    stock: 23,
    tags: ["wireless", "running", "small"],
    picture: ["earbuds", "rose"],
    description:
      "Small, light and rain-proof, with real buttons that work with gloves. The case charges in ten minutes for the way home.",
    details: {
      Battery: "7 h, 28 h with case",
      Weight: "4.8 g each",
      Rating: "IPX5",
      Tips: "4 sizes",
    },
    reviews: [
      [4, "They stay in when I run, which no earbud has managed before."],
      [5, "Real buttons! No more skipping songs because of a hat."],
      [2, "The left one loses contact now and then. Waiting for the replacement."],
    ],
  },
  {
    sku: "AU-603",
    name: "Driftbox Speaker",
    priceCents: 8900,
    stock: 15,
    tags: ["wireless", "garden", "waterproof"],
    picture: ["speaker", "sea"],
    description:
      "Loud enough for the beach, polite enough for the balcony. Floats, if it comes to that.",
    details: { Battery: "16 h", Weight: "690 g", Rating: "IP67", Pairing: "Two as stereo" },
    reviews: [
      [5, "It went overboard, played on, and was rescued with a paddle."],
      [4, "Surprisingly full sound for its size. Bass is polite, as promised."],
      [
        4,
        "Two of them in stereo fill the whole garden. The neighbours have been invited, to be safe.",
      ],
    ],
  },
  {
    sku: "AU-604",
    name: "Kitchen Wireless Radio",
    priceCents: 14900,
    stock: 7,
    tags: ["radio", "kitchen", "wood"],
    picture: ["radio", "plum"],
    description:
      "Turns on with a click and is already playing. FM, DAB+ and internet stations on one honest dial.",
    details: {
      Reception: "FM, DAB+, internet",
      Power: "Mains or battery, 10 h",
      Speaker: "10 cm, full range",
      Size: "24 × 15 × 11 cm",
    },
    reviews: [
      [
        5,
        "My mother, eighty-four, uses it without having called me once. The highest praise I have.",
      ],
      [4, "Warm sound, simple knobs. Setting up the internet stations takes some patience."],
      [5, "Finally a radio that is a radio."],
    ],
  },
  {
    sku: "AU-605",
    name: "Thirty-Three Turntable",
    priceCents: 27900,
    stock: 3,
    tags: ["vinyl", "hi-fi", "living room"],
    picture: ["turntable", "mint"],
    description:
      "Belt-driven, with a built-in preamp and a tone arm that lifts itself at the end of the side. Ready in ten minutes.",
    details: {
      Speeds: "33⅓ and 45",
      Drive: "Belt",
      Cartridge: "Moving magnet, replaceable",
      Outputs: "Phono and line",
    },
    reviews: [
      [
        5,
        "Hooked it up and played my father’s records for the first time. No more needs to be said 🎶",
      ],
      [4, "Great for the money. Put it on a firm shelf, it hears footsteps."],
      [4, "Auto-lift means that I can fall asleep on side B."],
    ],
  },
  {
    sku: "AU-606",
    name: "Fireside Microphone",
    priceCents: 9900,
    stock: 12,
    tags: ["recording", "computer", "podcast"],
    picture: ["microphone", "coral"],
    description:
      "A USB microphone that hears you and not the room, with a mute button that everybody can see is red.",
    details: {
      Connection: "USB-C",
      Pattern: "Cardioid",
      Resolution: "24 bit, 96 kHz",
      Weight: "520 g",
    },
    reviews: [
      [5, "Colleagues asked whether I had moved into a studio."],
      [4, "Very clear, and the mute light is great. The stand picks up typing, so use an arm."],
    ],
  },
  {
    sku: "AU-607",
    name: "Twin Piers Loudspeakers",
    priceCents: 34900,
    stock: 0,
    tags: ["hi-fi", "living room", "wood"],
    picture: ["bookshelf", "sand"],
    description:
      "A pair of oak bookshelf speakers with an amplifier inside one of them. One cable between them, one to the wall, done.",
    details: {
      Power: "2 × 40 W",
      Inputs: "Line, phono, optical, Bluetooth",
      Size: "17 × 29 × 21 cm each",
      Veneer: "Oak",
    },
    reviews: [
      [
        5,
        "Voices hang in the air between them. I keep discovering breaths on records that I have owned for years.",
      ],
      [4, "Handsome and easy. The remote is small and gets lost in the sofa."],
    ],
  },
  {
    sku: "AU-608",
    name: "Blank Mixtape C-60",
    priceCents: 700,
    stock: 48,
    tags: ["tape", "gift", "nostalgia"],
    picture: ["cassette", "butter"],
    description:
      "Sixty minutes of fresh ferric tape and a card to write the titles on. You still know for whom.",
    details: {
      Length: "60 minutes",
      Type: "Ferric (type I)",
      Includes: "Case, inlay, stickers",
      Origin: "Newly made",
    },
    reviews: [],
  },
];
