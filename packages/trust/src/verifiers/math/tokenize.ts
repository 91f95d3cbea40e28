/** A piece of an answer. `spaced` says that a space stands before it, which parts `1 1/2` from `11/2`. */
export interface Token {
  kind: "number" | "letter" | "word" | "command" | "text" | "symbol";
  text: string;
  spaced: boolean;
}

/** Longer than any answer; what is longer is prose. */
const MAX_TOKENS = 2000;

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const SPELLINGS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\*\*/g, "^"],
  [/[−–—]/g, "-"],
  [/[×·∙⋅]/g, "*"],
  [/÷/g, "/"],
  [/√/g, "\\sqrt "],
  [/π/g, "\\pi "],
  [/∞/g, "\\infty "],
  [/≤|<=/g, "\\le "],
  [/≥|>=/g, "\\ge "],
  [/≠|!=/g, "\\ne "],
  [/∪/g, "\\cup "],
  [/∈/g, "\\in "],
  [/±|\+\/-/g, "\\pm "],
  [/°|\^\s*\{?\s*\\circ\s*\}?/g, "\\degree "],
  [/\\\$/g, ""],
  [/\\%/g, "%"],
  [/\\\\/g, "\\newrow "],
  [/\\[()[\]]/g, " "],
  [/\\[,;:! ]|\\q?quad\b|~/g, " "],
  [/\\(?:left|right|[bB]igg?[lrm]?|displaystyle|textstyle|limits)(?![A-Za-z])\.?/g, " "],
  [/\\[dtc]frac(?![A-Za-z])/g, "\\frac"],
  [/\\[dt]binom(?![A-Za-z])/g, "\\binom"],
  [/\\(?:leq|leqslant)(?![A-Za-z])/g, "\\le "],
  [/\\(?:geq|geqslant)(?![A-Za-z])/g, "\\ge "],
  [/\\neq(?![A-Za-z])/g, "\\ne "],
  [/\\(?:lvert|rvert|vert|mid)(?![A-Za-z])/g, "|"],
  [/\{,\}/g, ","],
  [/\$/g, " "],
];

const TOKEN =
  /(\s*)(?:(\d+(?:\.\d+)?|\.\d+)|\\(?:text|textbf|mathrm|mbox|operatorname|mathbf|textrm)\s*\{([^{}]*)\}|\\([A-Za-z]+|[{}|])|([A-Za-z]{2,})|([A-Za-zα-ωΑ-Ω])|(\S))/gy;

/** Null for a text that is longer than an answer. */
export function tokenize(text: string): Token[] | null {
  let plain = text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (run) => `^{${[...run].map((c) => SUPERSCRIPTS.indexOf(c)).join("")}}`);
  for (const [pattern, spelling] of SPELLINGS) plain = plain.replace(pattern, spelling);
  plain = withoutThousands(plain.normalize("NFKC").replaceAll("⁄", "/"));
  const tokens: Token[] = [];
  for (const [, space, number, words, command, word, letter, symbol] of plain.trimEnd().matchAll(TOKEN)) {
    if (tokens.length >= MAX_TOKENS) return null;
    const spaced = space !== "";
    if (number !== undefined) tokens.push({ kind: "number", text: number, spaced });
    else if (words !== undefined) tokens.push({ kind: "text", text: words.trim(), spaced });
    else if (command !== undefined) tokens.push({ kind: "command", text: command, spaced });
    else if (word !== undefined) tokens.push({ kind: "word", text: word, spaced });
    else if (letter !== undefined) tokens.push({ kind: "letter", text: letter, spaced });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol, spaced });
  }
  return tokens;
}

/** Commas of thousands, where no bracket makes a list of them: (1,234) is a point, 1,234 a number. */
function withoutThousands(text: string): string {
  let depth = 0;
  let plain = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if ("([".includes(char) || (char === "{" && text[i - 1] === "\\")) depth++;
    else if (")]".includes(char) || (char === "}" && text[i - 1] === "\\")) depth--;
    if (depth === 0 && /\d/.test(char) && !/[\d.,]/.test(text[i - 1] ?? "")) {
      const grouped = /^\d{1,3}(?:,\d{3})+(?![\d,])/.exec(text.slice(i, i + 60))?.[0];
      if (grouped !== undefined) {
        plain += grouped.replaceAll(",", "");
        i += grouped.length - 1;
        continue;
      }
    }
    plain += char;
  }
  return plain;
}
