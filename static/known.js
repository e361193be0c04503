/**
 * Refuse options that mean nothing, before they are quietly passed over.
 *
 * @template {object} T
 * @param {string} where what was called, for the message
 * @param {T | null | undefined} options
 * @param {string[]} names what there is
 * @returns {T} an object, empty where nothing was given
 * @throws {TypeError}
 */
export function knownOptions(where, options, names) {
  const given = options ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw new TypeError(`${where}: the options must be an object, such as {${names[0]}}.`);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${where}: there is no option ${unknown}; there is ${names.join(", ")}.`);
  }
  return /** @type {T} */ (given);
}
