/** What the tab keeps when the page is loaded anew: `sessionStorage`, which a browser may refuse or find full. */

/** @param {string} name @returns {string | undefined} undefined where there is none, or the browser refuses */
export function readStored(name) {
  try {
    return sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {string} text @returns {boolean} whether it is kept */
export function writeStored(name, text) {
  try {
    sessionStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function removeStored(name) {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // it could not be read either
  }
}
