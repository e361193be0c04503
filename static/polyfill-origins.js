/** Which origins a page may name, and how what may not be is refused. */

/**
 * https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy, with the schemes that Chromium 156 takes
 * and that have an origin in script.
 */
const TRUSTED_SCHEME = /^(https|wss|chrome-extension):$/;
const LOOPBACK_HOST = /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\])$/;

/** Undefined for what does not parse and for opaque origins. @param {string} text */
export function tupleOrigin(text) {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  return origin === "null" ? undefined : origin;
}

/** @param {string} text */
export function requireTrustworthy(text) {
  const { protocol, hostname } = new URL(tupleOrigin(text) ?? "about:blank");
  if (TRUSTED_SCHEME.test(protocol) || LOOPBACK_HOST.test(hostname)) return;
  throw failure("SecurityError", `"${text}" is not a secure origin such as https://example.com.`);
}

// Kept, because the realm of a frame that was removed has it no longer.
const { DOMException } = globalThis;

/** @param {string} name @param {string} message */
export function failure(name, message) {
  return new DOMException(message, name);
}
