/** Words of a key or of a tool's name: `flightNumber`, `flight_number` and `flight-number` are two. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** What an agent composes itself: programs, texts, searches, reasons. There is nothing to draw it from. */
const COMPOSED = set(
  "command cmd script shell code content contents file_text new_str new_string new_contents new_content old_str old_string " +
    "replacement replace text body message msg subject title summary reason reasoning rationale note notes comment comments " +
    "description details thought thoughts explanation expression sql prompt question answer response reply plan instructions " +
    "feedback analysis html markdown source patch diff data_description memo caption headline",
);

/** What is looked for: words of the agent's own, unless it is an id. */
const SEARCHED = set(
  "query q queries search search_query search_term searchterm keyword keywords pattern regex term terms glob",
);

const PATHS = set("path file_path filepath file filename file_name target_file dir directory folder cwd workdir");

const MAKES = set(
  "create write save new touch mkdir output export generate insert append make edit apply replace patch update",
);
const FINDS = set("find glob locate search grep ls list");

/** A `code` of one word names a thing; of several it is a program. */
export function isComposed(path: readonly string[], value: string): boolean {
  return path.some((key) => COMPOSED.has(key.toLowerCase()) && (key.toLowerCase() !== "code" || /\s/.test(value)));
}

/** A search of words; "ORD-9999" in it is an id, and is checked. */
export function isSearch(path: readonly string[], value: string): boolean {
  const isId = /^\S*\d\S*$/.test(value.trim()) && value.trim().length >= 4;
  return path.some((key) => SEARCHED.has(key.toLowerCase())) && !isId;
}

export function isPath(path: readonly string[]): boolean {
  return PATHS.has((path.at(-1) ?? "").toLowerCase());
}

/** Whether a call makes or changes the file that it names: where to write is the agent's to choose. */
export function makesFile(tool: string, given: Record<string, unknown>): boolean {
  return (
    wordsOf(tool).some((word) => MAKES.has(word)) ||
    Object.keys(given).some((key) => /^(?:file_text|contents?|new_contents?|new_str|new_string|data)$/i.test(key))
  );
}

export function findsFiles(tool: string): boolean {
  return wordsOf(tool).some((word) => FINDS.has(word));
}

const IDS = set(
  "id ids number num no code ref reference account zip zipcode postcode phone pin sku isbn tracking invoice ssn",
);
const COUNTERS = set("line page row column col index step attempt version turn");
const SETTINGS = set(
  "limit timeout max min size width height offset port tokens length count ms seconds page line lines range start end top depth retries interval ttl dpi fps bytes",
);
const AMOUNTS = set(
  "amount total price cost balance fee refund payment sum subtotal tax value budget charge fare credit debit salary",
);
const TIMES = set("time timestamp ts epoch at date start end since until before after");

/** A number under this key names a thing. */
export function namesId(path: readonly string[]): boolean {
  const words = wordsOf(keyOf(path));
  return IDS.has(words.at(-1) ?? "") && !words.some((word) => COUNTERS.has(word));
}

/** A number under this key is a setting of the call, not a fact. */
export function isSetting(path: readonly string[]): boolean {
  return wordsOf(keyOf(path)).some((word) => SETTINGS.has(word) || COUNTERS.has(word));
}

export function isAmount(path: readonly string[]): boolean {
  return wordsOf(keyOf(path)).some((word) => AMOUNTS.has(word));
}

export function isTime(path: readonly string[]): boolean {
  return wordsOf(keyOf(path)).some((word) => TIMES.has(word));
}

export function isCalculator(tool: string): boolean {
  return wordsOf(tool).some((word) =>
    /^(?:calc|calculate|calculator|math|compute|eval|sum|add|multiply|subtract|divide)$/.test(word),
  );
}

/** The last key that is no position. */
function keyOf(path: readonly string[]): string {
  return path.findLast((key) => !/^\d+$/.test(key)) ?? "";
}
