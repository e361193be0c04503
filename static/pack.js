/**
 * The pack: one zip of all that the page's packages install, each member stored as it is, so that unpacking costs
 * nothing but the writing. What it saves in bytes is the server's affair, which compresses it as a whole.
 *
 * Node makes snapshots with this module, too (`webtools/cli/runtime/in_pyodide.mjs`).
 */

const END = 0x06054b50;
const END_LENGTH = 22;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;

/**
 * List a pack's members, each a view of its bytes.
 *
 * @param {Uint8Array<ArrayBuffer>} pack without a comment at its end
 * @returns {[string, Uint8Array<ArrayBuffer>][]} by their paths
 */
export function membersOf(pack) {
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  const end = pack.byteLength - END_LENGTH;
  if (end < 0 || view.getUint32(end, true) !== END) throw new Error("it is no zip");
  const count = view.getUint16(end + 10, true);
  const text = new TextDecoder();
  /** @type {[string, Uint8Array<ArrayBuffer>][]} */
  const members = [];
  let at = view.getUint32(end + 16, true);
  for (let left = count; left > 0; left -= 1) {
    const isStored = view.getUint16(at + 10, true) === 0;
    if (view.getUint32(at, true) !== ENTRY || !isStored)
      throw new Error("its members are not stored");
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const rest = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const name = text.decode(pack.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength));
    const local = view.getUint32(at + 42, true);
    const begin =
      local + LOCAL_LENGTH + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    members.push([name, pack.subarray(begin, begin + size)]);
    at += ENTRY_LENGTH + nameLength + rest;
  }
  return members;
}

/** @param {string} path of a file @returns {boolean} whether it is a library of WebAssembly, which takes time to compile */
export function isLibrary(path) {
  return path.endsWith(".so");
}

/**
 * Write members into Python's file system, which keeps the views. Libraries are compiled on the way, so that an import
 * need not do so while the page stands still.
 *
 * @param {any} FS Emscripten's
 * @param {[string, Uint8Array][]} members
 * @param {string} folder
 */
export async function unpack(FS, members, folder) {
  const made = new Set();
  for (const [name, bytes] of members) {
    const path = `${folder}/${name}`;
    const cut = path.lastIndexOf("/");
    const parent = path.slice(0, cut);
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    if (isLibrary(name)) {
      await FS.preloadFile(parent, path.slice(cut + 1), bytes, true, true, false, true);
    } else {
      FS.writeFile(path, bytes, { canOwn: true });
    }
  }
}
