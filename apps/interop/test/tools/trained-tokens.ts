import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "@huggingface/jinja";
import { Tokenizer } from "@huggingface/tokenizers";
import type { ToolSchema } from "@while/schema";

/** Tokens of a conversation, and which of them carry loss. */
export interface MarkedTokens {
  ids: number[];
  loss: (0 | 1)[];
}

/** A message as a row of the file has it: what a template reads is not looked into here. */
export type FileMessage = Readonly<Record<string, unknown>> & { role: string };

/** What stands before the agent's words. A trainer that has a prompt gives it with the line break. */
const HEADER = { turn: "<|im_start|>assistant", completion: "<|im_start|>assistant\n" };

/**
 * Tokens with loss as Node sees them, from a tokenizer folder that the trainer's own process saved: the conversation is
 * rendered once whole and once up to each agent turn, and what the mask names between two of those places carries loss.
 * Nothing here knows how the trainer comes to the same answer.
 */
export class TrainedTokens {
  readonly #tokenizer: Tokenizer;
  readonly #template: Template;

  constructor(folder: string) {
    const json = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
    this.#tokenizer = new Tokenizer(json("tokenizer.json"), json("tokenizer_config.json"));
    this.#template = new Template(readFileSync(join(folder, "chat_template.jinja"), "utf8"));
  }

  /** @param mask One 0 or 1 a message. */
  mark(
    messages: readonly FileMessage[],
    mask: readonly number[],
    { tools, from }: { tools?: readonly ToolSchema[] | undefined; from: keyof typeof HEADER },
  ): MarkedTokens {
    const rendered = (n: number) => this.#template.render({ messages: messages.slice(0, n), tools });
    const whole = rendered(messages.length);
    const spans = mask.flatMap((trains, i) => {
      if (trains === 0) return [];
      const before = bytes(rendered(i)) + bytes(HEADER[from]);
      return [[before, bytes(rendered(i + 1))] as const];
    });
    const { ids, tokens } = this.#tokenizer.encode(whole, { add_special_tokens: false });
    let at = 0;
    const loss = tokens.map((token: string): 0 | 1 => {
      const start = at;
      // Byte-level: a character of a token is a byte of the text.
      at += token.length;
      return spans.some(([from, to]) => start >= from && at <= to) ? 1 : 0;
    });
    if (at !== bytes(whole)) throw new Error(`The tokens hold ${at} bytes, and the text ${bytes(whole)}.`);
    return { ids, loss };
  }

  decode(ids: readonly number[]): string {
    return this.#tokenizer.decode([...ids], { skip_special_tokens: false });
  }
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
