import type { Token } from "./tokenize.ts";

/** What a grammar has no words for; caught by whoever reads an answer. */
export class OutsideGrammar extends Error {}

/** A place in a list of tokens, and what is taken from there. */
export abstract class TokenCursor {
  protected readonly tokens: Token[];
  protected at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = [...tokens];
  }

  protected peek(): Token | undefined {
    return this.tokens[this.at];
  }

  protected isSymbol(text: string): boolean {
    const token = this.peek();
    return token?.kind === "symbol" && token.text === text;
  }

  protected takeSymbol(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.at++;
    return true;
  }

  protected takeCommand(text: string): boolean {
    const token = this.peek();
    if (token?.kind !== "command" || token.text !== text) return false;
    this.at++;
    return true;
  }

  protected expect(text: string): void {
    if (this.tokens[this.at++]?.text !== text) throw new OutsideGrammar();
  }
}
