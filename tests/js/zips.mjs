/** Zips as `webtools/cli/runtime/pack.py` writes them: nothing compressed, no comment. */
import { createHash } from "node:crypto";

/**
 * @param {Record<string, Uint8Array | string>} members
 * @param {number} [method] how they say they are kept; 0: as they are
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function zipOf(members, method = 0) {
  const text = new TextEncoder();
  /** @type {Uint8Array[]} */
  const parts = [];
  /** @type {Uint8Array[]} */
  const directory = [];
  let at = 0;
  for (const [path, content] of Object.entries(members)) {
    const name = text.encode(path);
    const bytes = typeof content === "string" ? text.encode(content) : content;
    const local = numbers([
      ...[0x04034b50, 4, 20, 2, 0, 2, method, 2, 0, 4, 0, 4],
      ...[bytes.length, 4, bytes.length, 4, name.length, 2, 0, 2],
    ]);
    directory.push(
      numbers([
        ...[0x02014b50, 4, 20, 2, 20, 2, 0, 2, method, 2, 0, 4, 0, 4, bytes.length, 4],
        ...[bytes.length, 4, name.length, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 4, at, 4],
      ]),
      name,
    );
    parts.push(local, name, bytes);
    at += local.length + name.length + bytes.length;
  }
  const count = Object.keys(members).length;
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([0x06054b50, 4, 0, 2, 0, 2, count, 2, count, 2, size, 4, at, 4, 0, 2]);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

/** Numbers and their widths in bytes, in turn. @param {number[]} pairs */
function numbers(pairs) {
  const bytes = [];
  for (let index = 0; index < pairs.length; index += 2) {
    const [value = 0, width = 0] = pairs.slice(index, index + 2);
    for (let byte = 0; byte < width; byte += 1) bytes.push(Math.floor(value / 256 ** byte) % 256);
  }
  return Uint8Array.from(bytes);
}

/** What an index says of a file. @param {string} file @param {string | Uint8Array} content */
export function entryOf(file, content) {
  const bytes = Buffer.from(content);
  return { file, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
