/** What a pack installs, by the metadata of its wheels, and whether that goes with what a Python has. */

/** The one that is ours. */
const OWN = "webtools-host";

/**
 * What a wheel installs.
 *
 * @typedef {object} Distribution
 * @property {string} name normalized
 * @property {string} version
 * @property {string[]} needs requirements that hold in a page, such as "pydantic<3,>=2.14"
 * @property {string[]} files of its RECORD
 * @property {string[]} modules its top-level modules and packages
 */

/** @param {[string, Uint8Array][]} members a pack's @returns {Distribution[]} */
export function distributionsIn(members) {
  const texts = new Map(members.filter(([name]) => /^[^/]+\.dist-info\//.test(name)));
  const read = (/** @type {string} */ name) => new TextDecoder().decode(texts.get(name));
  return members.flatMap(([path]) => {
    const [folder = "", file] = path.split("/");
    if (!folder.endsWith(".dist-info") || file !== "METADATA") return [];
    const [head = ""] = read(path).split(/\r?\n\r?\n/, 1);
    const values = (/** @type {string} */ key) =>
      head
        .split(/\r?\n/)
        .filter((line) => line.startsWith(`${key}: `))
        .map((line) => line.slice(key.length + 2).trim());
    const files = read(`${folder}/RECORD`)
      .split(/\r?\n/)
      .map((line) => line.replace(/,[^,]*,[^,]*$/, "").replace(/^"|"$/g, ""))
      .filter(Boolean);
    return {
      name: normalized(String(values("Name")[0])),
      version: String(values("Version")[0]),
      needs: values("Requires-Dist").filter((need) => !need.includes(";")),
      files,
      modules: modulesOf(files),
    };
  });
}

/**
 * Say what a Python has that what would be unpacked there cannot go with.
 *
 * @param {Distribution[]} distributions
 * @param {Record<string, string | null>} versions of those that it has, by their names
 * @returns {string | undefined} a sentence with the cure
 */
export function unfit(distributions, versions) {
  for (const { name, version, needs } of distributions) {
    const present = versions[name] ?? null;
    if (name === OWN && present !== null && present !== version) {
      return `this page's Python has webtools ${present || "of an unknown version"}, and the page has ${version}. Have one version only.`;
    }
    if (name !== OWN && present !== null) continue; // it goes with what it came with
    for (const need of needs) {
      const { name: other, clauses } = parsed(need);
      const theirs = versions[other];
      if (!theirs || clauses.every((clause) => fits(theirs, clause))) continue;
      const ours = distributions.find((each) => each.name === other)?.version;
      return (
        `this page's Python has ${other} ${theirs}, and ${name === OWN ? "webtools" : name} needs ${need}. ` +
        `Leave ${other} out of the page's packages, since webtools brings ${ours}, or have a version that fits.`
      );
    }
  }
  return undefined;
}

/** @param {string} name @returns {string} as it is compared */
function normalized(name) {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** @param {string[]} files @returns {string[]} */
function modulesOf(files) {
  const tops = files.map((file) => String(file.split("/")[0]).replace(/\.(py|.*so)$/, ""));
  return [...new Set(tops.filter((top) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(top)))];
}

/** @param {string} need without a marker */
function parsed(need) {
  const [, name = "", rest = ""] = /^([\w.-]+)(?:\s*\[[^\]]*\])?\s*\(?([^)]*)\)?$/.exec(need) ?? [];
  const clauses = rest.split(",").map((clause) => clause.trim());
  return { name: normalized(name), clauses: clauses.filter(Boolean) };
}

/** What is asked of the order of two versions. @type {Record<string, (order: number) => boolean>} */
const OPERATORS = {
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  "==": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  ">": (order) => order > 0,
};

/** @param {string} version @param {string} clause such as ">=2.14"; one of another kind is taken to fit */
function fits(version, clause) {
  const [, operator = "", bound = ""] = /^(>=|<=|==|!=|<|>)\s*([\d.]+)$/.exec(clause) ?? [];
  return OPERATORS[operator]?.(compared(version, bound)) ?? true;
}

/** @param {string} one @param {string} other @returns {number} below 0 where it is the older one, by their releases */
function compared(one, other) {
  const [ours, theirs] = [one, other].map((version) =>
    String(/^[\d.]*/.exec(version)?.[0])
      .split(".")
      .map(Number),
  );
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const difference = (ours[at] ?? 0) - (theirs[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
