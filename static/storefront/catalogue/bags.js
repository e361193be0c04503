/** @type {import("../catalogue.js").Entry[]} */
export const bags = [
  {
    sku: "BG-201",
    name: "Lookout Daypack 22",
    priceCents: 9900,
    stock: 18,
    tags: ["backpack", "hiking", "everyday"],
    picture: ["backpack", "sea"],
    description:
      "A 22-litre pack with one big pocket, one quick pocket and side sleeves that hold a bottle while you bend over.",
    details: {
      Volume: "22 l",
      Weight: "640 g",
      Fabric: "Recycled nylon 420D",
      Laptop: "Up to 14 inches",
    },
    reviews: [
      [
        5,
        "Carries well with ten kilos in it, and still looks decent at work. Finally one bag for both.",
      ],
      [4, "Very good. The quick pocket is a bit tight when the main compartment is full."],
      [5, "Two years of daily commuting by bike, one tiny scuff. Zips run like new."],
      [4, "Bought it because of the colour, stayed because of the straps."],
    ],
  },
  {
    sku: "BG-202",
    name: "Breakwater Roll-Top",
    priceCents: 12900,
    stock: 7,
    tags: ["backpack", "waterproof", "cycling"],
    picture: ["rolltop", "plum"],
    description:
      "Welded seams and a roll closure keep a day of rain outside. Rolls small for the office, opens tall for the groceries.",
    details: {
      Volume: "18–26 l",
      Weight: "880 g",
      Fabric: "Coated polyester, PVC-free",
      Rating: "IPX4",
    },
    reviews: [
      [5, "Forty minutes in a thunderstorm, laptop bone dry. Sold."],
      [3, "Waterproof, yes, but the back gets sweaty. A mesh panel would help."],
      [4, "Swallows a surprising amount of shopping. A melon, even."],
    ],
  },
  {
    sku: "BG-203",
    name: "Little Boat Tote",
    priceCents: 2900,
    stock: 40,
    tags: ["shopping", "canvas", "gift"],
    picture: ["tote", "mint"],
    description:
      "Heavy canvas with handles long enough for a winter coat and our little boat on the front.",
    details: {
      Volume: "16 l",
      Fabric: "Organic cotton, 400 g/m²",
      Handles: "64 cm",
      Care: "30 °C",
    },
    reviews: [
      [5, "Solid. Stands up by itself, so you can actually load it at the till."],
      [5, "The print has survived a dozen washes. So has the wine stain, but that is on me."],
      [4, "Would love an inside pocket for keys, otherwise just right."],
    ],
  },
  {
    sku: "BG-204",
    name: "Postman Messenger",
    priceCents: 13400,
    stock: 5,
    tags: ["office", "cycling", "laptop"],
    picture: ["messenger", "coral"],
    description:
      "A wide flap, a real shoulder pad and a stabiliser strap, in waxed cotton that gets better with every winter.",
    details: {
      Volume: "15 l",
      Weight: "1.1 kg",
      Fabric: "Waxed cotton",
      Laptop: "Up to 15 inches",
    },
    reviews: [
      [4, "Beautiful bag. The wax rubs off on light coats for the first weeks, be warned."],
      [
        2,
        "One strap buckle cracked in the cold. Support sent a metal one without fuss, but still.",
      ],
    ],
  },
  {
    sku: "BG-205",
    name: "Long Weekend Duffel",
    priceCents: 15900,
    stock: 8,
    tags: ["travel", "cabin", "weekend"],
    picture: ["duffel", "sand"],
    description:
      "Three days of clothes, one pair of shoes in a separate end pocket, and it still slides under the seat in front.",
    details: {
      Volume: "36 l",
      Size: "50 × 26 × 28 cm",
      Fabric: "Cotton twill, leather handles",
      Weight: "1.3 kg",
    },
    reviews: [
      [
        5,
        "Fits every airline gauge that I have met so far, and looks like luggage from an old film.",
      ],
      [5, "The shoe pocket is a small stroke of genius."],
      [3, "Handsome but no wheels, and at thirty-six litres my shoulder noticed."],
    ],
  },
  {
    sku: "BG-206",
    name: "Minnow Belt Bag",
    priceCents: 3900,
    stock: 25,
    tags: ["travel", "running", "small"],
    picture: ["beltbag", "butter"],
    description:
      "Phone, keys, cards and a folded map. Lies flat, does not bounce, and nobody can reach it from behind.",
    details: { Volume: "1.5 l", Weight: "140 g", Belt: "70–120 cm", Fabric: "Ripstop nylon" },
    reviews: [
      [4, "I laughed at belt bags until I had a toddler. Two free hands!"],
      [5, "Runs without bouncing even with a big phone in it."],
    ],
  },
  {
    sku: "BG-207",
    name: "Felt Laptop Sleeve",
    priceCents: 4500,
    stock: 2,
    tags: ["laptop", "office", "wool"],
    picture: ["sleeve", "night"],
    description:
      "Thick wool felt with a wide mouth and one snap. Protects against crumbs, keys and other laptops.",
    details: {
      Fits: "13 and 14 inches",
      Material: "Wool felt, 5 mm",
      Closure: "Snap",
      Weight: "210 g",
    },
    reviews: [
      [5, "Simple, snug, smells faintly of sheep when it rains. I like it."],
      [4, "Fits my 14-inch exactly, with the charger in a second bag."],
    ],
  },
  {
    sku: "BG-208",
    name: "Saturday Market Basket",
    priceCents: 4900,
    stock: 0,
    tags: ["shopping", "handmade", "bicycle"],
    picture: ["basket", "moss"],
    description:
      "Woven willow with a wrapped handle, made in a village where everyone over seventy can do this blindfolded.",
    details: {
      Size: "38 × 24 × 22 cm",
      Material: "Willow, cotton cord",
      Load: "Up to 10 kg",
      Origin: "Handmade in Portugal",
    },
    reviews: [
      [
        5,
        "Sits in my bicycle crate as if it were made for it. Please restock, my sister wants one.",
      ],
    ],
  },
];
