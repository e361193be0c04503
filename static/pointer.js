/**
 * Draws a pointer: an arrow that glides to an element and follows it, and beside it what runs there. It is drawn above
 * all else in the page, dialogs too, in a shadow root with a constructed style sheet, which a strict
 * Content-Security-Policy lets pass. No focus, no click and no screen reader comes to it.
 */
import { boxInSight, isDrawn } from "./finding.js";
import { THEME } from "./theme.js";

/** @typedef {import("./finding.js").Box} Box */
/** @typedef {import("./progress.js").Report} Report */
/** @typedef {{x: number, y: number}} Point in CSS pixels of the window */
/** @typedef {{width: number, height: number}} Size */

/** How long it takes from one place to the next. */
const GLIDE_MS = 450;

/** How long it stays after its call, counted from where it has arrived. */
const DWELL_MS = 900;

const FADE_MS = 200;

/** Between a pointer's words and the window's edge. */
const MARGIN = 8;

const STYLE = `${THEME}
  .pointer {
    all: initial;
    position: fixed;
    inset: 0 auto auto 0;
    inline-size: 0;
    block-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
    overflow: visible;
    background: none;
    pointer-events: none;
    z-index: 2147483647;
    color-scheme: light dark;
    transition: opacity ${FADE_MS}ms;
  }
  .pointer.gone { opacity: 0; }
  svg, .words { position: absolute; inset-block-start: 0; left: 0; direction: ltr; }
  svg { inline-size: 22px; block-size: 26px; overflow: visible; filter: drop-shadow(0 1px 2px rgb(0 0 0 / 40%)); }
  path { fill: var(--_accent); stroke: var(--_background); stroke-width: 1.5; stroke-linejoin: round; }
  .words {
    box-sizing: border-box;
    inline-size: max-content;
    max-inline-size: min(16rem, calc(100vw - ${2 * MARGIN}px));
    padding: 0.375rem 0.625rem;
    border: 1px solid var(--_border);
    border-radius: var(--webtools-radius, 0.75rem);
    background: var(--_background);
    color: var(--_text);
    font: 0.8125rem / 1.35 var(--webtools-font, system-ui, sans-serif);
    box-shadow: 0 2px 8px rgb(0 0 0 / 20%);
  }
  .title, .message { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; }
  .title { font-weight: 600; }
  .message { color: var(--_muted); }
  .bar { block-size: 3px; margin-block-start: 0.25rem; border-radius: 2px; background: var(--_surface); }
  .share { block-size: 100%; border-radius: 2px; background: var(--_accent); transform-origin: left; }
  [hidden] { display: none; }
  @media (prefers-reduced-motion: reduce) { .pointer { transition: none; } }
  @media (forced-colors: active) {
    .bar { background: GrayText; forced-color-adjust: none; }
    .share { background: Highlight; }
  }
`;

/** Whether the person wants nothing to move. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The element that pointers are drawn in, which is in the page while there is one. */
export class Stage {
  /** @type {HTMLElement | undefined} */
  #host;
  #count = 0;
  /** Where a pointer was last. @type {Point | undefined} */
  last;

  /** @param {HTMLElement} element */
  add(element) {
    this.#count += 1;
    this.#host ??= newHost();
    this.#host.shadowRoot?.append(element);
  }

  /** Put an element above all that is shown now. @param {HTMLElement} element */
  raise(element) {
    if (this.#host && !this.#host.isConnected) document.documentElement.append(this.#host);
    if (!element.showPopover) return; // an old browser has the z-index only
    if (element.matches(":popover-open")) element.hidePopover();
    element.showPopover();
  }

  /** @param {HTMLElement} element */
  remove(element) {
    element.remove();
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#host?.remove();
    this.#host = undefined;
    this.last = undefined;
  }
}

export class Pointer {
  #stage;
  #onGone;
  #element = element("div", "pointer");
  #words = element("div", "words");
  #title = element("div", "title");
  #message = element("div", "message");
  #bar = element("div", "bar");
  #share = element("div", "share");
  /** What finds the element that it is to be at. @type {() => Element | undefined} */
  aim = () => undefined;
  /** @type {Element | undefined} */
  #at;
  /** Where it is. @type {Point | undefined} */
  #tip;
  /** Where it glides from, and when that began. @type {{from: Point, sinceMs: number} | undefined} */
  #glide;
  /** When it is where it is to be. */
  #arrivesMs = 0;
  /** @type {Size} */
  #size = { width: 0, height: 0 };
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {Stage} stage
   * @param {(pointer: Pointer) => void} onGone told when it is drawn no more
   */
  constructor(stage, onGone) {
    this.#stage = stage;
    this.#onGone = onGone;
    this.#element.popover = "manual";
    this.#bar.append(this.#share);
    this.#words.append(this.#title, this.#message, this.#bar);
    this.#element.append(arrow(), this.#words);
    stage.add(this.#element);
  }

  /**
   * Show a call.
   *
   * @param {string} title
   * @param {() => Element | undefined} find
   */
  show(title, find) {
    this.#title.textContent = title;
    this.#stage.raise(this.#element);
    this.report({ message: "" });
    this.follow(find);
    if (!this.#frame) this.#draw();
  }

  /** Go to another element of the same call. @param {() => Element | undefined} find */
  follow(find) {
    clearTimeout(this.#timer);
    this.#element.classList.remove("gone");
    this.aim = find;
    this.#at = find();
    this.#glide = undefined;
    const now = performance.now();
    const to = this.#at && tipOn(boxOf(this.#at), windowSize());
    if (!to) return;
    this.#arrivesMs = now;
    if (isStill()) return;
    const from = this.#tip ?? this.#stage.last ?? { x: to.x + 80, y: to.y + 60 };
    this.#glide = { from, sinceMs: now };
    this.#arrivesMs = now + GLIDE_MS;
  }

  /** @param {Pick<Report, "message" | "done" | "total">} report */
  report({ message, done = 0, total = 0 }) {
    this.#message.textContent = message;
    this.#message.hidden = message === "";
    this.#bar.hidden = !(total > 0);
    if (total > 0) this.#share.style.scale = `${Math.min(1, Math.max(0, done / total))} 1`;
    this.#measure();
  }

  /** Its call is over. @param {boolean} isSeen whether it is to be seen before it goes */
  leave(isSeen) {
    if (this.#isGoing) return;
    const leftMs = this.#arrivesMs + DWELL_MS - performance.now();
    if (isSeen) this.#timer = setTimeout(() => this.#fade(), Math.max(0, leftMs));
    else this.#remove();
  }

  get #isGoing() {
    return this.#element.classList.contains("gone");
  }

  #fade() {
    clearTimeout(this.#timer);
    if (isStill()) return this.#remove();
    this.#element.classList.add("gone");
    this.#timer = setTimeout(() => this.#remove(), FADE_MS);
  }

  #remove() {
    cancelAnimationFrame(this.#frame);
    this.#stage.remove(this.#element);
    this.#onGone(this);
  }

  #measure() {
    const { offsetWidth: width, offsetHeight: height } = this.#words;
    this.#size = { width, height };
  }

  /** Every frame, since what it points at may move at any time. */
  #draw = () => {
    this.#frame = requestAnimationFrame(this.#draw);
    if (!this.#at?.isConnected) this.#at = this.aim();
    if (!this.#at || !isDrawn(this.#at)) {
      if (!this.#isGoing) this.#fade();
      return;
    }
    const space = windowSize();
    const tip = this.#gliding(tipOn(boxOf(this.#at), space));
    this.#tip = this.#stage.last = tip;
    const [svg] = this.#element.children;
    moveTo(/** @type {SVGElement} */ (svg), tip);
    moveTo(this.#words, wordsBeside(tip, this.#size, space));
  };

  /** @param {Point} to @returns {Point} where it is on its way */
  #gliding(to) {
    if (!this.#glide) return to;
    const { from, sinceMs } = this.#glide;
    const share = Math.min(1, (performance.now() - sinceMs) / GLIDE_MS);
    if (share === 1) this.#glide = undefined;
    return between(from, to, share);
  }
}

/**
 * Where a pointer's tip is on an element: in the middle of what is to be seen of it, else at the window's edge.
 *
 * @param {Box} box
 * @param {Size} space the window's
 * @returns {Point}
 */
export function tipOn({ left, top, right, bottom }, { width, height }) {
  return { x: middle(left, right, width), y: middle(top, bottom, height) };
}

/**
 * Where the words are: below the tip and after it, as far as that is in the window.
 *
 * @param {Point} tip
 * @param {Size} size the words'
 * @param {Size} space the window's
 * @returns {Point}
 */
export function wordsBeside({ x, y }, { width, height }, space) {
  const below = y + 24;
  const fits = below + height + MARGIN <= space.height;
  return {
    x: clamp(x + 14, MARGIN, space.width - width - MARGIN),
    y: fits ? below : Math.max(MARGIN, y - height - MARGIN),
  };
}

/** Slow at both ends. @param {Point} from @param {Point} to @param {number} share 0 to 1 @returns {Point} */
export function between(from, to, share) {
  const eased = share * share * (3 - 2 * share);
  return { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
}

/** @param {number} start @param {number} end @param {number} length the window's */
function middle(start, end, length) {
  return (clamp(start, 0, length) + clamp(end, 0, length)) / 2;
}

/** @param {number} value @param {number} least wins @param {number} most */
function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}

/** @param {Element} element */
function boxOf(element) {
  return boxInSight(element) ?? element.getBoundingClientRect();
}

/** @returns {Size} */
function windowSize() {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  return { width, height: Math.min(height, innerHeight) || innerHeight };
}

/** @param {HTMLElement | SVGElement} drawn @param {Point} point */
function moveTo(drawn, { x, y }) {
  drawn.style.translate = `${x}px ${y}px`;
}

function newHost() {
  const host = document.createElement("webtools-cursor");
  host.setAttribute("aria-hidden", "true");
  host.inert = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  host.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
  return host;
}

/** @param {string} name @param {string} className */
function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function arrow() {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", "M0 0 L0 19 L4.8 14.6 L7.9 21.6 L11.2 20.1 L8.2 13.3 L14.6 12.7 Z");
  svg.append(path);
  return svg;
}
