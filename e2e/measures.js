// What can be measured of a page's looks. Each function gives sentences about what is wrong; none is a good page.
globalThis.measures = (() => {
  /** Those that may scroll sideways by themselves. */
  const SIDEWAYS = ".compare, .departments";
  /** Pixels that no eye sees. */
  const near = 1.5;
  const TABBABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

  /** The dialog or the inspector that is open, else the page: what is beneath is nobody's. */
  const scope = () =>
    [...elementsOf(document)].findLast((each) =>
      each.matches("dialog:modal, section:popover-open"),
    ) ?? document.body;

  /** In their order, those of shadow trees, too. */
  function* elementsOf(root) {
    for (const each of root.querySelectorAll("*")) {
      yield each;
      if (each.shadowRoot) yield* elementsOf(each.shadowRoot);
    }
  }

  function* ancestorsOf(element) {
    let each = element;
    while ((each = each.parentElement ?? each.getRootNode().host)) yield each;
  }

  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(".visually-hidden, .skip-link, svg");

  const shown = () => [...elementsOf(scope())].filter(isShown);

  const isFixed = (element) =>
    [element, ...ancestorsOf(element)].some((each) => getComputedStyle(each).position === "fixed");

  function named(element) {
    const text = (element.textContent || element.value || "").trim().replace(/\s+/g, " ");
    const kind = [element.localName, ...element.classList].join(".");
    return `${kind} “${text.length > 30 ? `${text.slice(0, 30)}…` : text}”`;
  }

  /** From where to where something is seen: not beyond what is scrolled, nor a clamp, which has an ellipsis. */
  function seen(element) {
    let [top, bottom] = [-Infinity, Infinity];
    for (const each of [element, ...ancestorsOf(element)]) {
      const { overflowY, webkitLineClamp } = getComputedStyle(each);
      if (webkitLineClamp === "none" && !/auto|scroll/.test(overflowY)) continue;
      const box = each.getBoundingClientRect();
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { top, bottom };
  }

  /** Where the texts of elements are seen, line by line. */
  function* lines() {
    for (const element of shown()) {
      const { top, bottom } = seen(element);
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects())
          if (rect.width > 1 && rect.top > top - near && rect.bottom < bottom + near)
            yield { element, rect };
      }
    }
  }

  /** What hides a part of a text for good: neither an ellipsis, nor what can be scrolled. */
  function cutter({ element, rect }) {
    for (const each of [element, ...ancestorsOf(element)]) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(each);
      const box = each.getBoundingClientRect();
      if (textOverflow === "ellipsis" || each.matches(SIDEWAYS)) return undefined;
      const isBeside = rect.left < box.left - near || rect.right > box.right + near;
      if (overflowX !== "visible" && isBeside) return each;
      if (/auto|scroll/.test(overflowY)) return undefined;
      const isBeyond = rect.top < box.top - near || rect.bottom > box.bottom + near;
      if (overflowY !== "visible" && isBeyond) return each;
    }
    return undefined;
  }

  function cut() {
    const { clientWidth, scrollWidth } = document.documentElement;
    const problems = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : [];
    for (const element of shown()) {
      const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowX);
      const more = element.scrollWidth - element.clientWidth;
      if (isScroller && more > near && !element.matches(SIDEWAYS))
        problems.push(`${named(element)} scrolls sideways by ${more}`);
    }
    for (const line of lines()) {
      const by = cutter(line);
      if (by) problems.push(`${named(line.element)} is cut off by ${named(by)}`);
      const isOutside = line.rect.left < -near || line.rect.right > clientWidth + near;
      const isLet = (each) =>
        each.matches(SIDEWAYS) || getComputedStyle(each).textOverflow === "ellipsis";
      if (isOutside && ![line.element, ...ancestorsOf(line.element)].some(isLet))
        problems.push(`${named(line.element)} is outside the page`);
    }
    return [...new Set(problems)];
  }

  function overlapping() {
    const all = [...lines()].sort((one, other) => one.rect.top - other.rect.top);
    const problems = new Set();
    all.forEach((one, index) => {
      for (const other of all.slice(index + 1)) {
        if (other.rect.top >= one.rect.bottom) break;
        if (one.element === other.element || isFixed(one.element) !== isFixed(other.element))
          continue;
        const low = Math.min(one.rect.bottom, other.rect.bottom);
        const high = Math.min(one.rect.height, other.rect.height);
        const end = Math.min(one.rect.right, other.rect.right);
        const isOver = low - other.rect.top > high * 0.3;
        if (isOver && end - Math.max(one.rect.left, other.rect.left) > 3)
          problems.add(`${named(one.element)} lies over ${named(other.element)}`);
      }
    });
    return [...problems];
  }

  /** Boxes by element, for `notMirrored`. */
  const boxes = () =>
    new Map(
      shown()
        .filter((each) => getComputedStyle(each).display !== "inline" && !each.closest("select"))
        .map((each) => [each, each.getBoundingClientRect()]),
    );

  /** Boxes that are not where they were, seen in a mirror. */
  function notMirrored() {
    const before = boxes();
    document.documentElement.dir = "rtl";
    const { clientWidth } = document.documentElement;
    // one edge is enough: a sentence whose full stop moves is a little wider or narrower
    const isOff = ([each, { left, right }]) => {
      const now = each.getBoundingClientRect();
      return [clientWidth - right - now.left, clientWidth - left - now.right].every(
        (by) => Math.abs(by) > 2,
      );
    };
    // what is in a box that is off is off with it
    const off = new Set([...before].filter(isOff).map(([each]) => each));
    return [...off]
      .filter((each) => ![...ancestorsOf(each)].some((outer) => off.has(outer)))
      .filter((each) => !each.closest(SIDEWAYS))
      .map((each) => `${named(each)} is not mirrored`);
  }

  /** Those that Tab reaches, in their order; of a group of radio buttons the one that is chosen. */
  const stops = () =>
    [...elementsOf(scope())].filter(
      (each) =>
        each.matches(TABBABLE) &&
        each.tabIndex >= 0 &&
        !each.disabled &&
        (each.type !== "radio" || each.checked) &&
        each.checkVisibility({ visibilityProperty: true }),
    );

  function focused() {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }

  /** Whose outline shows where the focus is: the element's, or that of what it stands in. */
  function ringed(element) {
    return [element, ...[...ancestorsOf(element)].slice(0, 5)].find((each) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
      const isThere = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
      return isThere && !/, 0\)|transparent/.test(outlineColor);
    });
  }

  function isRingCut(element) {
    const { outlineOffset, outlineWidth } = getComputedStyle(element);
    const grown = parseFloat(outlineOffset) + parseFloat(outlineWidth) - near;
    const box = element.getBoundingClientRect();
    return [...ancestorsOf(element)].some((each) => {
      if (getComputedStyle(each).overflowX === "visible" || each === document.body) return false;
      const outer = each.getBoundingClientRect();
      return box.left - grown < outer.left || box.right + grown > outer.right;
    });
  }

  /** Of the part that is on the screen. */
  const middle = (from, to, size) => (Math.max(from, 0) + Math.min(to, size)) / 2;

  let last;

  /** Go behind the first stop, so that Shift and Tab lead to it; how many there are. */
  function startTabbing() {
    last = undefined;
    const [first, second = first] = stops();
    second?.focus();
    return stops().length;
  }

  /** Look at where the focus is now; the number among the stops, and what is wrong. */
  function atStop() {
    const element = focused();
    const number = stops().indexOf(element);
    if (number < 0) return { number, problems: [] };
    const problems = [];
    const rect = element.getBoundingClientRect();
    const ring = ringed(element);
    if (!ring) problems.push(`${named(element)} does not show the focus`);
    else if (isRingCut(ring)) problems.push(`the focus of ${named(element)} is cut off`);
    const x = middle(rect.left, rect.right, innerWidth);
    const y = middle(rect.top, rect.bottom, innerHeight);
    const over = element.getRootNode().elementFromPoint(x, y) ?? document.body;
    // a panel that the person has opened covers what it covers
    const isUnder = over.closest(".agent:has([aria-expanded=false])") && !element.closest(".agent");
    const isIn = y > Math.max(0, rect.top) && y < Math.min(innerHeight, rect.bottom);
    if (isUnder || !isIn) problems.push(`${named(element)} is out of sight`);
    const place = { element, top: rect.top + scrollY, bottom: rect.bottom + scrollY, rect };
    const before = last;
    const isElsewhere = isFixed(element) || element.closest(`.skip-link, ${SIDEWAYS}`);
    last = isElsewhere ? undefined : place;
    if (before && last && goesBack(before, last))
      problems.push(`the focus goes back from ${named(before.element)} to ${named(element)}`);
    return { number, problems };
  }

  /** Move the focus on through all stops, where Tab has led to the first: what is wrong at each. */
  function atEachStop() {
    return stops().flatMap((each, wanted) => {
      each.focus();
      const { number, problems } = atStop();
      return number === wanted ? problems : [`${named(each)} takes no focus`];
    });
  }

  /** Whether the second is read before the first: above it in the same column, or before it in the same row. */
  function goesBack(one, other) {
    const isBeside = one.rect.right <= other.rect.left || other.rect.right <= one.rect.left;
    if (!isBeside) return other.bottom <= one.top + near;
    const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const height = Math.min(one.bottom - one.top, other.bottom - other.top);
    return common > height / 2 && other.rect.right <= one.rect.left;
  }

  /** What moves by itself, though the person wants no motion. */
  function moving() {
    return shown()
      .filter((each) => {
        const { animationName, transitionDuration } = getComputedStyle(each);
        return animationName !== "none" || /[1-9]/.test(transitionDuration);
      })
      .map((each) => `${named(each)} moves`);
  }

  return { cut, overlapping, notMirrored, startTabbing, atStop, atEachStop, moving };
})();
