import { normalizeText } from "../normalize-text.ts";
import { FUNCTIONS, UNITS, WORD_LETTERS } from "./names.ts";
import type { MathAnswer, MathNode, Relation } from "./node.ts";
import { decimal } from "./rational.ts";
import { OutsideGrammar, TokenCursor } from "./token-cursor.ts";
import { type Token, tokenize } from "./tokenize.ts";

/** Brackets inside of one another; an answer has a handful. */
const MAX_DEPTH = 100;

const RELATIONS: ReadonlyMap<string, Relation> = new Map([
  ["=", "="],
  ["<", "<"],
  [">", ">"],
  ["lt", "<"],
  ["gt", ">"],
  ["le", "<="],
  ["ge", ">="],
  ["ne", "!="],
  ["in", "in"],
]);

/**
 * An answer in LaTeX or as typed on a keyboard, as a tree: numbers, expressions with the usual functions, points,
 * intervals and their unions, sets, matrices, equations and inequalities, several answers side by side, and words. Null
 * for what is outside of this grammar.
 */
export function parseMath(text: string): MathAnswer | null {
  const tokens = tokenize(text);
  if (tokens === null || tokens.length === 0) return null;
  const said = normalizeText(tokens.map(({ text, spaced }) => (spaced ? ` ${text}` : text)).join(""));
  if (isWords(tokens)) return { node: { kind: "words" }, text: said, unit: "", isPercent: false };
  try {
    if (!tokens.some(isPlusMinus)) return { ...new MathParser(tokens).answer(), text: said };
    const [more, less] = ["+", "-"].map((sign) => new MathParser(tokens.map((token) => signed(token, sign))).answer());
    const items = [more!.node, less!.node].flatMap((node) => (node.kind === "list" ? node.items : [node]));
    return { ...more!, node: { kind: "list", items }, text: said };
  } catch (error) {
    if (error instanceof OutsideGrammar) return null;
    throw error;
  }
}

const isPlusMinus = ({ kind, text }: Token) => kind === "command" && text === "pm";
const signed = (token: Token, sign: string): Token =>
  isPlusMinus(token) ? { kind: "symbol", text: sign, spaced: token.spaced } : token;

function isWords(tokens: readonly Token[]): boolean {
  const allWords = tokens.every(({ kind, text }) => {
    return kind === "text" || kind === "word" || kind === "letter" || (kind === "symbol" && /^[-'’.,]$/.test(text));
  });
  return allWords && tokens.some(({ kind, text }) => kind === "text" || (kind === "word" && isLongWord(text)));
}

function isLongWord(word: string): boolean {
  return word.length >= WORD_LETTERS && !FUNCTIONS.has(word);
}

class MathParser extends TokenCursor {
  private readonly units: string[] = [];
  private isPercent = false;
  private depth = 0;
  /** Bars that are open: inside of them a bar closes. */
  private bars = 0;

  answer(): Omit<MathAnswer, "text"> {
    const items = [this.item()];
    while (this.takeSeparator()) items.push(this.item());
    if (this.isSymbol(".")) this.at++;
    if (this.at < this.tokens.length) throw new OutsideGrammar();
    const node: MathNode = items.length === 1 ? items[0]! : { kind: "list", items };
    return { node, unit: [...new Set(this.units)].join(" "), isPercent: this.isPercent };
  }

  /** Of a list: an expression or relation, and what unit it has. */
  private item(): MathNode {
    const node = this.relation();
    this.unit();
    return node;
  }

  private unit(): void {
    const parts: string[] = [];
    for (let token = this.peek(); token !== undefined; token = this.peek()) {
      const { kind, text } = token;
      if (kind === "symbol" && text === "%") this.isPercent = true;
      else if (kind === "command" && text === "degree") parts.push("degree");
      else if (kind === "text" && !/^(?:and|or)$/i.test(text)) parts.push(unitText(text));
      else if (kind === "word" && (UNITS.has(text) || isLongWord(text))) parts.push(unitText(text));
      else if (kind === "letter" && parts.length > 0) parts.push(text);
      else if (kind === "symbol" && text === "^" && parts.length > 0)
        parts.push(`${parts.pop()}^${this.exponentText()}`);
      else if (kind === "symbol" && text === "/" && parts.length > 0) parts.push("per");
      else break;
      this.at++;
    }
    const unit = parts.filter((part) => part !== "").join(" ");
    if (unit !== "") this.units.push(unit);
  }

  /** `^2` or `^{2}` of a unit; leaves the last token of it to be taken. */
  private exponentText(): string {
    this.at++;
    const isBraced = this.isSymbol("{");
    if (isBraced) this.at++;
    const power = this.peek();
    if (power?.kind !== "number") throw new OutsideGrammar();
    if (isBraced && this.tokens[++this.at]?.text !== "}") throw new OutsideGrammar();
    return power.text;
  }

  private relation(): MathNode {
    const items = [this.union()];
    const operators: Relation[] = [];
    for (;;) {
      const token = this.peek();
      const relation = token === undefined || token.kind === "word" ? undefined : RELATIONS.get(token.text);
      if (relation === undefined) break;
      this.at++;
      operators.push(relation);
      items.push(this.union());
    }
    return items.length === 1 ? items[0]! : { kind: "relation", items, operators };
  }

  private union(): MathNode {
    const items = [this.sum()];
    while (this.takeCommand("cup")) items.push(this.sum());
    return items.length === 1 ? items[0]! : { kind: "union", items };
  }

  private sum(): MathNode {
    if (++this.depth > MAX_DEPTH) throw new OutsideGrammar();
    const items = [this.product()];
    for (;;) {
      if (this.takeSymbol("+")) items.push(this.product());
      else if (this.takeSymbol("-")) items.push({ kind: "negative", item: this.product() });
      else break;
    }
    this.depth--;
    return items.length === 1 ? items[0]! : { kind: "sum", items };
  }

  private product(): MathNode {
    let node = this.signed();
    for (;;) {
      if (this.takeSymbol("*") || this.takeCommand("cdot") || this.takeCommand("times")) {
        node = { kind: "product", items: [node, this.signed()] };
      } else if (this.takeSymbol("/") || this.takeCommand("div")) {
        node = { kind: "quotient", above: node, below: this.signed() };
      } else if (this.beginsFactor()) {
        node = { kind: "product", items: [node, this.raised()] };
      } else return node;
    }
  }

  private signed(): MathNode {
    if (this.takeSymbol("-")) {
      if (++this.depth > MAX_DEPTH) throw new OutsideGrammar();
      const item = this.signed();
      this.depth--;
      return { kind: "negative", item };
    }
    this.takeSymbol("+");
    return this.raised();
  }

  /** Whether what comes is multiplied without a sign: 2x, 3(x + 1), 2\sqrt{3}, but not the 2 of "1 2". */
  private beginsFactor(): boolean {
    const token = this.peek();
    if (token === undefined) return false;
    const { kind, text } = token;
    if (kind === "letter") return true;
    if (kind === "word") return FUNCTIONS.has(text) || text === "pi" || !(this.endsItem(text) || isLongWord(text));
    if (kind === "symbol") return text === "(" || text === "{" || (text === "|" && this.bars === 0);
    return kind === "command" && (ATOM_COMMANDS.has(text) || FUNCTIONS.has(text) || GREEK.test(text));
  }

  private endsItem(word: string): boolean {
    return UNITS.has(word) || word === "and" || word === "or";
  }

  private raised(): MathNode {
    let base = this.atom();
    for (;;) {
      if (this.takeSymbol("!")) base = { kind: "call", name: "factorial", items: [base] };
      else if (this.takeSymbol("^")) base = { kind: "power", base, exponent: this.exponent() };
      else return base;
    }
  }

  private exponent(): MathNode {
    if (this.takeSymbol("-")) return { kind: "negative", item: this.exponent() };
    // To the right first: 2^3^2 is 2^9.
    const base = this.isSymbol("{") ? this.braced() : this.atom();
    return this.takeSymbol("^") ? { kind: "power", base, exponent: this.exponent() } : base;
  }

  private atom(): MathNode {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new OutsideGrammar();
    const { kind, text } = token;
    if (kind === "number") return this.number(text);
    if (kind === "letter") return this.letter(text);
    if (kind === "word") return this.word(token);
    if (kind === "command") return this.command(text);
    if (kind === "symbol" && (text === "(" || text === "[")) return this.bracketed(text);
    if (kind === "symbol" && text === "{") {
      this.at--;
      return this.braced();
    }
    if (kind === "symbol" && text === "|") {
      this.bars++;
      const inside = this.sum();
      this.bars--;
      this.expect("|");
      return { kind: "call", name: "abs", items: [inside] };
    }
    throw new OutsideGrammar();
  }

  private number(text: string): MathNode {
    const value = decimal(text);
    if (value === null) throw new OutsideGrammar();
    const whole: MathNode = { kind: "number", value };
    if (this.takeSymbol("_")) {
      this.units.push(`base ${this.subscript()}`);
      return whole;
    }
    const part = /^\d+$/.test(text) ? this.mixedPart() : null;
    return part === null ? whole : { kind: "sum", items: [whole, part] };
  }

  /** The fraction of a mixed number: `1 1/2`, `1\frac{1}{2}`. */
  private mixedPart(): MathNode | null {
    const [above, slash, below] = this.tokens.slice(this.at, this.at + 3);
    if (above?.kind === "number" && above.spaced && slash?.text === "/" && below?.kind === "number") {
      this.at += 3;
      return quotientOf(above.text, below.text);
    }
    if (above?.kind !== "command" || above.text !== "frac") return null;
    const start = this.at++;
    const fraction = this.fraction();
    if (fraction.kind === "quotient" && isWhole(fraction.above) && isWhole(fraction.below)) return fraction;
    this.at = start;
    return null;
  }

  private letter(name: string): MathNode {
    const subscript = this.takeSymbol("_") ? `_${this.subscript()}` : "";
    if (subscript === "" && name === "i") return { kind: "constant", name: "i" };
    if (subscript === "" && name === "e") return { kind: "constant", name: "e" };
    return name === "π" ? { kind: "constant", name: "pi" } : { kind: "variable", name: name + subscript };
  }

  private subscript(): string {
    if (!this.takeSymbol("{")) return this.tokens[this.at++]?.text ?? "";
    const start = this.at;
    while (this.at < this.tokens.length && !this.isSymbol("}")) this.at++;
    const inside = this.tokens.slice(start, this.at).map(({ text }) => text);
    this.expect("}");
    return inside.join("");
  }

  /** A function, or letters that are multiplied. */
  private word(token: Token): MathNode {
    const { text } = token;
    if (text === "pi") return { kind: "constant", name: "pi" };
    if (FUNCTIONS.has(text)) return this.call(FUNCTIONS.get(text)!);
    if (isLongWord(text) || this.endsItem(text)) throw new OutsideGrammar();
    this.tokens.splice(
      this.at,
      0,
      ...[...text.slice(1)].map((char) => ({ kind: "letter", text: char, spaced: false }) as const),
    );
    return this.letter(text[0]!);
  }

  private command(name: string): MathNode {
    if (name === "frac") return this.fraction();
    if (name === "sqrt") return this.root();
    if (name === "binom") return { kind: "call", name: "binom", items: [this.argument(), this.argument()] };
    if (FUNCTIONS.has(name)) return this.call(FUNCTIONS.get(name)!);
    if (name === "pi") return { kind: "constant", name: "pi" };
    if (name === "infty") return { kind: "infinity" };
    if (name === "emptyset" || name === "varnothing") return { kind: "set", items: [] };
    if (name === "begin") return this.matrix();
    if (name === "{") return { kind: "set", items: this.items("}") };
    if (name === "lfloor" || name === "lceil") {
      const inside = this.sum();
      if (!this.takeCommand(name.replace("l", "r"))) throw new OutsideGrammar();
      return { kind: "call", name: name === "lfloor" ? "floor" : "ceil", items: [inside] };
    }
    if (GREEK.test(name)) return this.letter(`\\${name}`);
    throw new OutsideGrammar();
  }

  private fraction(): MathNode {
    return { kind: "quotient", above: this.argument(), below: this.argument() };
  }

  private root(): MathNode {
    const degree = this.takeSymbol("[") ? this.sum() : null;
    if (degree !== null) this.expect("]");
    const item = this.isSymbol("{") ? this.braced() : this.raised();
    return degree === null
      ? { kind: "call", name: "sqrt", items: [item] }
      : { kind: "call", name: "root", items: [item, degree] };
  }

  /** In braces, or the next character: `\frac12` is one half. */
  private argument(): MathNode {
    if (this.isSymbol("{")) return this.braced();
    const token = this.peek();
    if (token?.kind === "number" && token.text.length > 1) {
      const [first, ...rest] = token.text;
      this.tokens.splice(this.at, 1, { ...token, text: first! }, { ...token, text: rest.join(""), spaced: false });
    }
    return this.atom();
  }

  private call(name: string): MathNode {
    const base = name === "log" && this.takeSymbol("_") ? this.argument() : null;
    const exponent = this.takeSymbol("^") ? this.exponent() : null;
    const isInverse = exponent?.kind === "negative" && isOne(exponent.item);
    const inverse = isInverse && ["sin", "cos", "tan"].includes(name);
    const items = [this.isSymbol("(") || this.isSymbol("{") ? this.atom() : this.bareArgument()];
    const node: MathNode = {
      kind: "call",
      name: inverse ? `arc${name}` : name,
      items: base === null ? items : [...items, base],
    };
    return exponent === null || inverse ? node : { kind: "power", base: node, exponent };
  }

  /** What a function without brackets takes: `\sin 2x` all of it, `\sin x \cos x` up to the next function. */
  private bareArgument(): MathNode {
    let node = this.takeSymbol("-") ? ({ kind: "negative", item: this.raised() } as MathNode) : this.raised();
    while (this.beginsFactor() && !this.isSymbol("(") && !FUNCTIONS.has(this.peek()!.text)) {
      node = { kind: "product", items: [node, this.raised()] };
    }
    return node;
  }

  private bracketed(open: "(" | "["): MathNode {
    const bars = this.bars;
    this.bars = 0;
    const items = this.list();
    this.bars = bars;
    const close = this.tokens[this.at++]?.text;
    if (close !== ")" && close !== "]") throw new OutsideGrammar();
    if (items.length === 1 && open === "(" && close === ")") return items[0]!;
    return { kind: "sequence", open, close, items };
  }

  /** A group of LaTeX, or a set as people type it. */
  private braced(): MathNode {
    this.expect("{");
    const items = this.items("}");
    return items.length === 1 ? items[0]! : { kind: "set", items };
  }

  private items(close: string): MathNode[] {
    const bars = this.bars;
    this.bars = 0;
    const items = this.peek()?.text === close ? [] : this.list();
    this.bars = bars;
    this.expect(close);
    return items;
  }

  private list(): MathNode[] {
    if (++this.depth > MAX_DEPTH) throw new OutsideGrammar();
    const items = [this.relation()];
    while (this.takeSymbol(",") || this.takeSymbol(";")) items.push(this.relation());
    this.depth--;
    return items;
  }

  private matrix(): MathNode {
    const kind = this.subscript();
    if (!this.isMatrixKind(kind)) throw new OutsideGrammar();
    if (kind === "array") this.subscript();
    const rows: MathNode[][] = [[this.sum()]];
    while (!this.takeCommand("end")) {
      if (this.takeSymbol("&")) rows.at(-1)!.push(this.sum());
      else if (this.takeCommand("newrow")) {
        if (this.peek()?.text !== "end") rows.push([this.sum()]);
      } else throw new OutsideGrammar();
    }
    this.subscript();
    return { kind: "matrix", rows };
  }

  /** A determinant (`vmatrix`) and cases are no matrices. */
  private isMatrixKind(kind: string): boolean {
    return ["matrix", "pmatrix", "bmatrix", "Bmatrix", "array"].includes(kind);
  }

  private takeSeparator(): boolean {
    if (this.takeSymbol(",") || this.takeSymbol(";")) {
      this.takeWord();
      return true;
    }
    return this.takeWord();
  }

  /** `and` or `or`. */
  private takeWord(): boolean {
    const token = this.peek();
    const isWord = token?.kind === "text" || token?.kind === "word";
    if (!isWord || !/^(?:and|or)$/i.test(token.text)) return false;
    this.at++;
    return true;
  }
}

const ATOM_COMMANDS: ReadonlySet<string> = new Set([
  "frac",
  "sqrt",
  "binom",
  "pi",
  "infty",
  "lfloor",
  "lceil",
  "begin",
]);
const GREEK =
  /^(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|upsilon|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega|ell)$/;

function unitText(text: string): string {
  const word = text.toLowerCase().replace(/[.\s]+$/, "");
  return word.length > 2 ? word.replace(/s$/, "") : word;
}

function quotientOf(above: string, below: string): MathNode {
  const [num, den] = [decimal(above), decimal(below)];
  if (num === null || den === null) throw new OutsideGrammar();
  return { kind: "quotient", above: { kind: "number", value: num }, below: { kind: "number", value: den } };
}

function isWhole(node: MathNode): boolean {
  return node.kind === "number" && node.value.den === 1n;
}

function isOne(node: MathNode): boolean {
  return node.kind === "number" && node.value.num === 1n && node.value.den === 1n;
}
