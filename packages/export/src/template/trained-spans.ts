import { renderTemplate, type TemplateInput } from "./render-template.ts";

/** From a character to the one behind the last. */
export type Span = readonly [start: number, end: number];

/** A rendered conversation, and where loss is taken. */
export interface TrainedText {
  text: string;
  /** In order, apart from one another. */
  spans: Span[];
  /** Messages that train and whose place cannot be told: what stands before them is no beginning of the whole. */
  unaligned: number[];
}

/** Which part of a conversation trains: all of it, some of its messages, or what the template marks itself. */
export type Trains = "all" | "generation" | readonly number[];

/**
 * Renders a conversation and says which characters carry loss.
 *
 * Of messages by number, as trainers find them: what the whole has behind the rendering of all before the message,
 * opened for the agent's turn, up to the rendering that ends with it. Where the one is no beginning of the other
 * (templates that rewrite history), a trainer warns at most and masks something else; such messages are `unaligned`.
 * `generation` is what stands in the template's `{% generation %}` blocks.
 *
 * @throws ExportError `template_failed`
 */
export function trainedSpans(template: string, input: TemplateInput, trains: Trains): TrainedText {
  if (trains === "generation") return marked(template, input);
  const text = renderTemplate(template, input);
  if (trains === "all") return { text, spans: text === "" ? [] : [[0, text.length]], unaligned: [] };
  const spans: Span[] = [];
  const unaligned: number[] = [];
  for (const at of trains) {
    const span = spanOf(template, input, at, text);
    if (span === null) unaligned.push(at);
    else spans.push(span);
  }
  return { text, spans, unaligned };
}

/** null when the rendering up to the message is no beginning of the whole. */
function spanOf(template: string, input: TemplateInput, at: number, text: string): Span | null {
  const before = renderTemplate(template, {
    ...input,
    messages: input.messages.slice(0, at),
    addGenerationPrompt: true,
  });
  const through =
    at === input.messages.length - 1
      ? text
      : renderTemplate(template, { ...input, messages: input.messages.slice(0, at + 1) });
  return text.startsWith(before) && text.startsWith(through) && before.length < through.length
    ? [before.length, through.length]
    : null;
}

/** A block of its own, so that white space around it is trimmed as around the one it stands for. */
const OPEN = "\uE0F2";
const CLOSE = "\uE0F3";

function marked(template: string, input: TemplateInput): TrainedText {
  const mark = (sign: string) => (_: string, left: string, right: string) =>
    `{%${left} if true %}{{ "${sign}" }}{% endif ${right}%}`;
  const rendered = renderTemplate(
    template
      .replace(/\{%([-+]?)\s*generation\s*(-?)%\}/g, mark(OPEN))
      .replace(/\{%([-+]?)\s*endgeneration\s*(-?)%\}/g, mark(CLOSE)),
    input,
  );
  let text = "";
  const spans: Span[] = [];
  for (const [at, piece] of rendered.split(/[\uE0F2\uE0F3]/).entries()) {
    if (at % 2 === 1 && piece !== "") spans.push([text.length, text.length + piece.length]);
    text += piece;
  }
  return { text, spans, unaligned: [] };
}
