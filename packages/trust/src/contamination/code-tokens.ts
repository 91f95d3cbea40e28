import type { Emit, Scanner } from "./token-scanner.ts";

/** Tokens of a run of code: what a dozen of them do, two programs do not do alike by chance. */
export const CODE_NGRAM = 12;

/** The code of a text, and what its comments and docstrings say. */
export interface SplitCode {
  code: string;
  prose: string;
}

/** Docstrings, texts (which hold no comment and stay), and the ways to write a comment; in Python two slashes divide. */
const LITERALS = /"""([\s\S]*?)"""|'''([\s\S]*?)'''|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/;
const HASH = /(?<![\w&])#(?!\{|include|define)([^\n]*)/;
const SLASHES = /\/\*([\s\S]*?)\*\/|\/\/([^\n]*)/;
const IN_PYTHON = new RegExp(`${LITERALS.source}|${HASH.source}`, "g");
const ELSEWHERE = new RegExp(`${LITERALS.source}|${HASH.source}|${SLASHES.source}`, "g");
const PYTHON = /^\s*(?:def|class)\s[^\n]*:\s*$|^\s*(?:from\s+[\w.]+\s+)?import\s+[\w.]+/m;
const FENCES = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;
/** How a line of a program begins or ends, and hardly one of prose. */
const STATEMENT =
  /^\s*(?:async\s+)?(?:def|class|function|const|let|var|import|from|export|public|private|static|fn|func|struct|package|#include|return|if|elif|else|for|while|switch|try|except|catch|with|print)\b.*[:;(){}=]|[;{}]\s*$|^\s*[\w.[\]]+\s*(?:[-+*/|&]?=)\s*\S|=>/;
/** Lines of code from which on a text is a program. */
const MIN_LINES = 2;

/**
 * A program as its code and the prose in it: what stands in fences, or, without these, all of a text with two lines or more that
 * read like code. null for a text that is no program.
 */
export function splitCode(text: string): SplitCode | null {
  const fenced = [...text.matchAll(FENCES)].map((match) => match[2]!);
  const program = fenced.length > 0 ? fenced.join("\n") : text;
  const prose: string[] = fenced.length > 0 ? [text.replace(FENCES, "\n")] : [];
  const comments = PYTHON.test(program) ? IN_PYTHON : ELSEWHERE;
  const code = program.replace(comments, (whole: string, doc, doc2, literal, hash, block, line) => {
    if (literal !== undefined) return whole;
    prose.push([doc, doc2, hash, block, line].find((said) => typeof said === "string") ?? "");
    return "\n";
  });
  const lines = code.split("\n").filter((line) => STATEMENT.test(line));
  const signature = /\b(?:def|function|class|fn|func)\s+\w+/.test(code);
  if (lines.length < (signature || fenced.length > 0 ? 1 : MIN_LINES)) return null;
  return { code, prose: prose.join("\n").trim() };
}

const TOKENS =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(\d[\w.]*)|([\p{L}_$][\p{L}\p{N}_$]*)|(\S)/gu;
const KEYWORDS = new Set(
  "and as assert async await break case catch class const continue def del do elif else except export extends false finally for from function if import in is lambda let new none not null or pass raise return self super switch this throw true try undefined var while with yield".split(
    " ",
  ),
);
/** Signs that one style sets and another leaves out. */
const OPTIONAL = new Set([";", "{", "}"]);

/**
 * Code with its names taken away: a name is how many tokens ago it was used last (0 where that is a dozen or more: Baker 1996,
 * parameterized matching), a text or a number is its kind, words of the language and signs stay.
 */
export function codeTokens(code: string): string[] {
  const tokens: string[] = [];
  const lastAt = new Map<string, number>();
  for (const [, text, number, name, sign] of code.matchAll(TOKENS)) {
    if (text !== undefined) tokens.push("text");
    else if (number !== undefined) tokens.push("number");
    else if (name !== undefined && KEYWORDS.has(name.toLowerCase())) tokens.push(name.toLowerCase());
    else if (name !== undefined) {
      const ago = tokens.length - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY);
      lastAt.set(name, tokens.length);
      tokens.push(`#${ago < CODE_NGRAM ? ago : 0}`);
    } else if (!OPTIONAL.has(sign!)) tokens.push(sign!);
  }
  return tokens;
}

/** Cuts code into tokens without names, for the same index as words. */
export class CodeScanner implements Scanner {
  chars: Uint16Array = new Uint16Array(64);

  scan(text: string, emit: Emit): void {
    for (const token of codeTokens(text)) {
      if (token.length > this.chars.length) this.chars = new Uint16Array(2 * token.length);
      let hash = 0x811c9dc5 | 0;
      for (let i = 0; i < token.length; i++) {
        this.chars[i] = token.charCodeAt(i);
        hash = Math.imul(hash ^ this.chars[i]!, 0x01000193);
      }
      emit(hash, token.length, false);
    }
  }
}
