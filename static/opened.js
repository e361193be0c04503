/** An artifact for the page to show: a `blob:` URL, which the page's policy has to allow (`img-src blob:`). */

/** Types that a page may be given as what they are: none can run a script where somebody opens it. */
const HARMLESS =
  /^(image\/(png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/json)$/;

/**
 * An artifact for the page to show.
 *
 * @typedef {object} OpenArtifact
 * @property {string} url a `blob:` URL, until `release()`
 * @property {string} kind
 * @property {string} mediaType
 * @property {string} [label]
 * @property {() => void} release harmless twice
 */

/**
 * @param {string} text JSON text `{"kind", "mediaType", "label"?, "text" | "base64"}`, `null`, or `{"error"}`
 * @returns {OpenArtifact | null}
 */
export function opened(text) {
  const found = JSON.parse(text);
  if (!found) return null;
  if (found.error) throw new Error(found.error);
  const { kind, mediaType, label } = found;
  const data = found.text ?? Uint8Array.from(atob(found.base64), (each) => each.charCodeAt(0));
  // what could run as a page of this origin is a download instead
  const type = HARMLESS.test(mediaType) ? mediaType : "application/octet-stream";
  const url = URL.createObjectURL(new Blob([data], { type }));
  return { url, kind, mediaType, ...(label && { label }), release: () => URL.revokeObjectURL(url) };
}
