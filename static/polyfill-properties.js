/** Properties that are replaced, and put back. */

/**
 * What stands on an object itself would hide what its prototype has.
 *
 * @param {object} target @param {string} name
 */
export function removeProperty(target, name) {
  const before = Object.getOwnPropertyDescriptor(target, name);
  if (before && !Reflect.deleteProperty(target, name)) {
    throw new TypeError(`"${name}" is fixed here, so nothing can stand before it.`);
  }
  return () => {
    if (before) Object.defineProperty(target, name, before);
  };
}

/** @param {object} target @param {string} name @param {PropertyDescriptor} descriptor */
export function replaceProperty(target, name, descriptor) {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, descriptor);
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
