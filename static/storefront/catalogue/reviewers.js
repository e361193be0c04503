const AUTHORS = [
  "Aoife B.",
  "Łukasz W.",
  "Marta",
  "Jens-Ole",
  "Priya R.",
  "Tomáš",
  "Inês C.",
  "Grace O.",
  "Håkon",
  "Mehmet Y.",
  "Chloé D.",
  "Yuki",
  "Samir",
  "Bríd M.",
  "Oskar",
  "Lena K.",
  "Dr. Weber",
  "Nils",
  "Amara",
  "José Luis",
  "Eleni P.",
  "Rob from Leith",
  "Katarzyna",
  "Søren",
  "Fatima Z.",
  "Hugo",
  "Ana Sofia",
  "Pieter V.",
  "Maeve",
  "Giulia T.",
  "Kwame",
  "Zoë",
  "Ivo",
  "Sanne",
  "Björk H.",
  "Noor",
  "Matti",
  "Claire & Tom",
  "R. Okafor",
  "Věra",
  "Dimitri",
  "Wren",
];
const FIRST_DAY_MS = Date.UTC(2024, 2, 1);
const DAYS = 540;
const DAY_MS = 86_400_000;

/**
 * Small seeded generator (mulberry32), so that every visit and every test sees the same shop.
 *
 * @param {string} seed
 * @returns {() => number} the next number in [0, 1)
 */
export function seededRandom(seed) {
  let state = [...seed].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Gives each text an author and a day; nobody reviews the same product twice.
 *
 * @param {string} sku the seed
 * @param {[number, string][]} texts stars and text
 * @returns {import("../catalogue.js").Review[]} newest first
 */
export function signReviews(sku, texts) {
  const random = seededRandom(sku);
  const authors = [...AUTHORS];
  const reviews = texts.map(([rating, text]) => {
    const [author] = authors.splice(Math.floor(random() * authors.length), 1);
    const day = new Date(FIRST_DAY_MS + Math.floor(random() * DAYS) * DAY_MS);
    return { author, rating, date: day.toISOString().slice(0, 10), text };
  });
  return reviews.sort((one, other) => other.date.localeCompare(one.date));
}
