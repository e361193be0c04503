/** Which paths a `match` fits: the same table of examples (`tests/paths.json`) as `webtools/lifecycle/routes.py`. */

/**
 * Whether one of the patterns is all of the path, or, where it starts with "#", all of the hash. A page without a hash
 * has an empty one, which "#" and "#*" fit.
 *
 * @param {readonly string[]} patterns
 * @param {import("./navigation.js").Place} place
 */
export function fits(patterns, { pathname, hash }) {
  return patterns.some((pattern) =>
    pattern.startsWith("#")
      ? isLike(pattern.slice(1), hash.replace(/^#/, ""))
      : isLike(pattern, pathname),
  );
}

/**
 * Compare in one pass: a regular expression would try a path of a stranger's for long.
 *
 * @param {string} pattern `*` stands for any text
 * @param {string} text
 */
function isLike(pattern, text) {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  let start = first.length;
  const end = text.length - last.length;
  if (start > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  for (const part of rest) {
    const found = text.indexOf(part, start);
    if (found < 0 || found + part.length > end) return false;
    start = found + part.length;
  }
  return true;
}
