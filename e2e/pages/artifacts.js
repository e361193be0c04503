import { start } from "/webtools/webtools.js";

/** `?artifacts=memory`, `indexeddb` or `off`. */
const artifacts = new URLSearchParams(location.search).get("artifacts") ?? undefined;
start({ app: "/artifacts.py", artifacts: /** @type {any} */ (artifacts) });

/**
 * Show an artifact in an image, as a page does.
 *
 * @param {string} ref
 */
async function show(ref) {
  const opened = await window.webtools.openArtifact(ref);
  if (!opened) return null;
  const image = new Image();
  image.src = opened.url;
  const size = await image.decode().then(
    () => [image.naturalWidth, image.naturalHeight],
    () => "not shown",
  );
  opened.release();
  opened.release();
  const { kind, mediaType, label } = opened;
  return { size, kind, mediaType, label };
}

/** What the browser takes an artifact's URL for, and what it has once it was released. @param {string} ref */
async function look(ref) {
  const { url, release } = await window.webtools.openArtifact(ref);
  const response = await fetch(url);
  const found = [response.headers.get("content-type"), await response.text()];
  release();
  return [
    ...found,
    await fetch(url).then(
      () => "still there",
      () => "gone",
    ),
  ];
}

/**
 * Let writes into the database fail as the browser's own failures do.
 *
 * @param {string} how the name of what is thrown, or or "abort": the transaction ends behind our back
 * @param {number} nth the first write that fails
 * @returns {() => void} lets them succeed again
 */
function failWrites(how, nth) {
  const real = IDBObjectStore.prototype.put;
  let count = 0;
  IDBObjectStore.prototype.put = function (...args) {
    count += 1;
    if (count < nth) return real.apply(this, /** @type {any} */ (args));
    if (how !== "abort") throw new DOMException("as the browser says it", how);
    const request = real.apply(this, /** @type {any} */ (args));
    this.transaction.abort();
    return request;
  };
  return () => {
    IDBObjectStore.prototype.put = real;
  };
}

Object.assign(window, { show, look, failWrites });
