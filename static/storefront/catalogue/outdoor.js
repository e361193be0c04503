/** @type {import("../catalogue.js").Entry[]} */
export const outdoor = [
  {
    sku: "OD-301",
    name: "Dune Tent for Two",
    priceCents: 32900,
    stock: 4,
    tags: ["camping", "tent", "waterproof"],
    picture: ["tent", "moss"],
    description:
      "Two doors, two porches and poles that only fit where they belong. Up in four minutes, even by the light of a phone.",
    details: { Weight: "2.3 kg", Sleeps: "2", "Water column": "3000 mm", Packed: "45 × 15 cm" },
    reviews: [
      [
        5,
        "A night of North Sea wind and we slept. The pole colours are idiot-proof, and I say that as the idiot.",
      ],
      [
        4,
        "Roomy for two, even with a dog that thinks it is a third person. Pegs are thin, bring your own.",
      ],
      [5, "Set it up alone in the rain with cold hands. What more is there to say?"],
      [4, "Condensation on still nights unless both vents are open. Otherwise excellent."],
    ],
  },
  {
    sku: "OD-302",
    name: "Glow-worm Lantern",
    priceCents: 4400,
    stock: 31,
    tags: ["camping", "light", "rechargeable"],
    picture: ["lantern", "slate"],
    description:
      "A warm light that dims down to a night light and runs for eighty hours. Charges your phone if it must.",
    details: {
      Brightness: "5–300 lm",
      Battery: "5200 mAh, USB-C",
      Runtime: "8–80 h",
      Weight: "310 g",
    },
    reviews: [
      [
        5,
        "Warm light instead of the usual operating theatre. The children read by it every night.",
      ],
      [5, "Survived a power cut of two days and charged two phones on the side."],
      [3, "Nice light, but the handle rattles when you carry it."],
    ],
  },
  {
    sku: "OD-303",
    name: "Tidal Bottle 750",
    priceCents: 3200,
    stock: 46,
    tags: ["bottle", "steel", "hiking"],
    picture: ["bottle", "rose"],
    description:
      "Double-walled steel that keeps tea hot until the summit and water cold until you have forgotten about it.",
    details: { Volume: "750 ml", Hot: "12 h", Cold: "24 h", Weight: "345 g" },
    reviews: [
      [5, "Dropped down half a mountain, one dent, no leak."],
      [4, "Keeps tea hot for ages. The loop is a bit stiff at first."],
      [5, "Dishwasher safe, and the lid comes apart for cleaning. Why is that so rare?"],
      [2, "Mine arrived with a scratched base. It works, but it was meant as a gift."],
      [4, "Fits the side pocket of the Lookout pack, as one would hope."],
    ],
  },
  {
    sku: "OD-304",
    name: "Driftwood Sleeping Bag",
    priceCents: 17900,
    stock: 6,
    tags: ["camping", "sleep", "warm"],
    picture: ["sleepingbag", "sea"],
    description:
      "A three-season bag with room to turn over, a two-way zip and a hood that does not sit on your face.",
    details: {
      Comfort: "2 °C",
      Weight: "1.25 kg",
      Filling: "Recycled fibre",
      Length: "Up to 190 cm",
    },
    reviews: [
      [4, "Warm down to freezing with a jumper on. Packs bigger than down, of course."],
      [5, "Finally a bag for people who sleep on their side."],
    ],
  },
  {
    sku: "OD-305",
    name: "Pebble Camp Stove",
    priceCents: 6900,
    stock: 12,
    tags: ["camping", "cooking", "gas"],
    picture: ["stove", "plum"],
    description:
      "Boils half a litre in two minutes and folds into its own pot. The flame goes low enough for an omelette.",
    details: {
      Power: "2.6 kW",
      Weight: "390 g with pot",
      Boils: "0.5 l in 2:10",
      Fuel: "Screw-on cartridge",
    },
    reviews: [
      [5, "Porridge without the burnt layer. The simmer control really works."],
      [4, "Small, quick, quiet. Needs some shelter in wind."],
      [3, "Good burner, but the pot handle gets hot. Take a glove."],
    ],
  },
  {
    sku: "OD-306",
    name: "Two Pines Hammock",
    priceCents: 5400,
    stock: 15,
    tags: ["summer", "garden", "travel"],
    picture: ["hammock", "mint"],
    description:
      "Parachute silk for one and a half people, with tree-friendly straps and a bag the size of a grapefruit.",
    details: {
      Size: "300 × 180 cm",
      Load: "Up to 200 kg",
      Weight: "480 g",
      Includes: "Straps and hooks",
    },
    reviews: [
      [5, "Hangs between two apple trees since May. Nobody in this house reads indoors any more."],
      [4, "Comfortable, quick to hang. The straps could be longer for thick trees."],
    ],
  },
  {
    sku: "OD-307",
    name: "Captain’s Camp Chair",
    priceCents: 7400,
    stock: 1,
    tags: ["camping", "garden", "furniture"],
    picture: ["chair", "coral"],
    description:
      "High enough to get up from with dignity. Folds flat, carries on the shoulder, and the armrests hold a cup level.",
    details: {
      "Seat height": "44 cm",
      Load: "Up to 130 kg",
      Weight: "3.1 kg",
      Fabric: "Polyester canvas",
    },
    reviews: [
      [5, "My father is eighty-one and gets out of it by himself. Best thing we took to the lake."],
      [4, "Sturdy. Not for backpackers at three kilos, but that is not the idea."],
    ],
  },
  {
    sku: "OD-308",
    name: "Night Ferry Headlamp",
    priceCents: 4900,
    stock: 20,
    tags: ["light", "running", "rechargeable"],
    picture: ["headlamp", "butter"],
    description:
      "A wide beam for the path and a narrow one for the signpost, with a red light that lets the others sleep.",
    details: {
      Brightness: "Up to 450 lm",
      Weight: "78 g",
      Battery: "USB-C, 5–60 h",
      Rating: "IPX5",
    },
    reviews: [],
  },
];
