import { TrustError } from "../trust-error.ts";

export type Edge = "^" | "$" | "b" | "B";

/** A pattern as a tree. */
export type PatternNode =
  | { kind: "char"; holds: (char: string) => boolean }
  | { kind: "edge"; edge: Edge }
  | { kind: "sequence"; items: readonly PatternNode[] }
  | { kind: "choice"; items: readonly PatternNode[] }
  | { kind: "repeat"; item: PatternNode; least: number; most: number };

/**
 * The tree of a pattern that JavaScript accepts with the flag `u`. What one character must be is left to JavaScript.
 *
 * @throws TrustError `bad_option` for lookaround, back-references and flags inside of the pattern
 */
export function parsePattern(pattern: string, flags: string): PatternNode {
  return new Parser(pattern, flags.replace("m", "")).choice();
}

class Parser {
  private readonly chars: readonly string[];
  private readonly flags: string;
  private at = 0;

  constructor(pattern: string, flags: string) {
    this.chars = [...pattern];
    this.flags = flags;
  }

  choice(): PatternNode {
    const items = [this.sequence()];
    while (this.chars[this.at] === "|") {
      this.at++;
      items.push(this.sequence());
    }
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  private sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.at < this.chars.length && this.chars[this.at] !== "|" && this.chars[this.at] !== ")") {
      items.push(this.repeated(this.atom()));
    }
    return { kind: "sequence", items };
  }

  private repeated(item: PatternNode): PatternNode {
    const rest = this.chars.slice(this.at, this.at + 40).join("");
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(rest);
    if (found === null) return item;
    this.at += found[0].length;
    const [, sign, low, comma, high] = found;
    if (sign === "?") return { kind: "repeat", item, least: 0, most: 1 };
    if (sign !== undefined)
      return { kind: "repeat", item, least: sign === "+" ? 1 : 0, most: Number.POSITIVE_INFINITY };
    const most = comma === "" ? Number(low) : high === "" ? Number.POSITIVE_INFINITY : Number(high);
    return { kind: "repeat", item, least: Number(low), most };
  }

  private atom(): PatternNode {
    const char = this.chars[this.at]!;
    if (char === "(") return this.group();
    if (char === "[") return this.single(this.bracketed());
    if (char === "\\") return this.escape();
    this.at++;
    return char === "^" || char === "$" ? { kind: "edge", edge: char } : this.single(char);
  }

  private group(): PatternNode {
    const rest = this.chars.slice(this.at, this.at + 4).join("");
    if (/^\(\?(?:[=!]|<[=!])/.test(rest)) throw cannot("looks ahead or behind");
    if (rest.startsWith("(?:")) this.at += 3;
    else if (rest.startsWith("(?<")) this.at = this.chars.indexOf(">", this.at) + 1;
    else if (rest.startsWith("(?")) throw cannot("changes its flags inside");
    else this.at++;
    const inside = this.choice();
    this.at++;
    return inside;
  }

  private bracketed(): string {
    const start = this.at;
    for (this.at++; this.chars[this.at] !== "]"; this.at++) if (this.chars[this.at] === "\\") this.at++;
    this.at++;
    return this.chars.slice(start, this.at).join("");
  }

  private escape(): PatternNode {
    const rest = this.chars.slice(this.at, this.at + 80).join("");
    const next = this.chars[this.at + 1]!;
    if (/[1-9k]/.test(next)) throw cannot("refers back to a group");
    if (next === "b" || next === "B") {
      this.at += 2;
      return { kind: "edge", edge: next };
    }
    const pair = /^\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w/;
    const text = (pair.exec(rest) ?? /^\\(?:[pPu]\{[^}]*\}|u\w{4}|x\w\w|c\w|.)/su.exec(rest)!)[0];
    this.at += [...text].length;
    return this.single(text);
  }

  private single(source: string): PatternNode {
    const pattern = new RegExp(`^${source}$`, this.flags);
    const known = new Map<string, boolean>();
    const holds = (char: string): boolean => {
      const answer = known.get(char) ?? pattern.test(char);
      known.set(char, answer);
      return answer;
    };
    return { kind: "char", holds };
  }
}

function cannot(what: string): TrustError {
  const fix = "Leave that out, or say it with two patterns in allOf or anyOf.";
  return new TrustError("bad_option", `The pattern ${what}, which no matcher does in linear time.`, fix);
}
