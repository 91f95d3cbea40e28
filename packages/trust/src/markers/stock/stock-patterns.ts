/** Start and end of a word in any script. */
const START = "(?<![\\p{L}\\p{N}_])";
const END = "(?![\\p{L}\\p{N}_])";

const phrase = (body: string): RegExp => new RegExp(`${START}(?:${body})${END}`, "iu");
/** Ends in a sign, not in a word. */
const openEnded = (body: string): RegExp => new RegExp(`${START}(?:${body})`, "iu");

/** The deprecated presence markers and what raises each: 1 is present, so higher is worse. */
export const STOCK_PATTERNS: ReadonlyMap<string, readonly RegExp[]> = new Map([
  [
    "boilerplate",
    [
      openEnded("(?:certainly|of course|sure thing)\\s*[!,.]"),
      phrase("here(?:'s| is)\\s+(?:a|the|how|what|your)"),
      phrase("i hope this helps"),
      phrase("let me know if"),
      phrase("feel free to"),
    ],
  ],
  [
    "self_reference",
    [
      phrase("as an ai"),
      phrase("as a language model"),
      phrase("i(?:'m| am)\\s+(?:just\\s+)?(?:an?\\s+)?(?:ai|language model|assistant)"),
      phrase("i (?:do not|don't)\\s+have\\s+(?:personal|feelings|opinions)"),
    ],
  ],
  [
    "hedging",
    [
      phrase("it depends"),
      phrase("it(?:'s| is)\\s+important to\\s+(?:note|remember|consider)"),
      phrase("generally speaking|in general"),
      phrase("keep in mind"),
      phrase("that said"),
      phrase("to some extent"),
    ],
  ],
  [
    "refusal",
    [
      phrase("i (?:can't|cannot)\\s+(?:help|assist|provide|do that|comply)"),
      phrase("i(?:'m| am)\\s+(?:unable|not able)\\s+to"),
      phrase("i (?:won't|will not)"),
      phrase("against my\\s+(?:guidelines|programming|principles)"),
      phrase("i must\\s+(?:decline|refuse)"),
    ],
  ],
  [
    "sycophancy",
    [
      phrase("you(?:'re| are)\\s+(?:absolutely\\s+)?right"),
      phrase("(?:great|excellent|fantastic)\\s+(?:question|point)"),
      phrase("i apologize|my apologies|so sorry"),
      phrase("thank you for\\s+(?:your patience|pointing)"),
    ],
  ],
]);
