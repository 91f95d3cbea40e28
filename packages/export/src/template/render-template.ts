import { Template } from "@huggingface/jinja";
import { isObject, pyJson } from "@while/schema";
import { ExportError } from "../export-error.ts";
import { JsonNumber } from "../json/json-number.ts";

/** What a chat template is given. */
export interface TemplateInput {
  messages: readonly object[];
  tools?: readonly object[];
  /** End with the words that the agent's next turn begins behind. */
  addGenerationPrompt?: boolean;
  /** Other variables that the template knows, such as `enable_thinking`. */
  variables?: Readonly<Record<string, unknown>>;
}

export interface RenderOptions {
  /**
   * What becomes of the white space around blocks: `transformers` takes away a line break behind one and the blanks in
   * front of it on its line, as that library does; `plain` leaves them, as Jinja does by itself.
   */
  blocks?: "transformers" | "plain";
}

const compiled = new Map<string, Template>();
const MAX_COMPILED = 50;

/**
 * Renders a chat template as `apply_chat_template` does, to text.
 *
 * Numbers come out as Python writes them: `1.0` keeps its point and a large integer its digits, where the engine alone
 * would write the nearest double (`JsonNumber` in arguments).
 *
 * @param template A tokenizer's `chat_template`
 * @throws ExportError `template_failed`: the template is none, or raises on these messages
 */
export function renderTemplate(
  template: string,
  { messages, tools, addGenerationPrompt = false, variables = {} }: TemplateInput,
  { blocks = "transformers" }: RenderOptions = {},
): string {
  const numbers: string[] = [];
  try {
    // Jinja reads every line end as one line break.
    const source = template.replace(/\r\n?/g, "\n");
    const text = compile(blocks === "plain" ? withPlainBlocks(source) : source).render({
      bos_token: "",
      eos_token: "",
      ...(plain(variables, numbers) as Record<string, unknown>),
      messages: plain(messages, numbers),
      ...(tools === undefined ? {} : { tools: plain(tools, numbers) }),
      add_generation_prompt: addGenerationPrompt,
    });
    return text.replace(HELD, (_, at) => numbers[Number(at)]!);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ExportError(
      "template_failed",
      `The chat template fails: ${why.slice(0, 300)}.`,
      "Give the chat_template of the model that will be tuned, and messages in an order that it takes.",
      { cause },
    );
  }
}

function compile(template: string): Template {
  let known = compiled.get(template);
  if (known === undefined) {
    known = new Template(template);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(template, known);
  }
  return known;
}

/** The engine always trims; what it would trim is written as an expression. */
function withPlainBlocks(template: string): string {
  return template
    .replace(/\n$/, "")
    .replace(/^([ \t]+)(?=\{[%#](?!-))/gm, (_, blanks) => `{{ ${JSON.stringify(blanks)} }}`)
    .replace(/(?<!-)([%#]\})\n/g, '$1{{ "\\n" }}');
}

/** How a held number looks where it comes out: its place in the list, in digits that no data has. */
const HELD = /1\.(\d{7})7e-250/g;

/** A number that a double would respell is held by another, which templates also take for a number, and put in afterwards. */
function plain(value: unknown, numbers: string[]): unknown {
  if (value instanceof JsonNumber) {
    numbers.push(/^-?\d+$/.test(value.text) ? value.text : floatText(Number(value.text)));
    return Number(`1.${String(numbers.length - 1).padStart(7, "0")}7e-250`);
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, numbers));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, numbers)]));
}

/** A float as Python's `repr`. */
function floatText(value: number): string {
  const text = pyJson(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
