import { isObject } from "../is-object.ts";

/** Block types whose `text` is text a person or a model wrote. */
const TEXT_BLOCKS: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text", undefined]);

/**
 * The text of a message's content: a string as it is, a block list as the `text` of its text blocks joined by line
 * breaks, anything else "". Images, documents, thinking and refusal blocks are not text.
 */
export function blockText(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content : [content];
  let text = "";
  let first = true;
  for (const block of blocks) {
    const part = textOfBlock(block);
    if (part === null) continue;
    text += first ? part : `\n${part}`;
    first = false;
  }
  return text;
}

/** null for a block that is no text, so that its kind can be counted. A bare string in a list is a text block. */
export function textOfBlock(block: unknown): string | null {
  if (typeof block === "string") return block;
  if (!isObject(block) || !TEXT_BLOCKS.has(block.type) || typeof block.text !== "string") return null;
  return block.text;
}
