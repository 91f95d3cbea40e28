/** A piece of a page that is already escaped; only `html` makes one. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type HtmlValue = Html | string | number | null | undefined | readonly HtmlValue[];

/**
 * Markup with values in it. Every value is escaped, whatever place it stands in (text or a quoted attribute), unless
 * it is a piece made here; a list is joined, null is nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0]!;
  values.forEach((value, i) => {
    text += textOf(value) + strings[i + 1]!;
  });
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(textOf).join("");
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters and halves of characters have no place in a page; they show as the replacement character. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!).replace(/(?![\t\n\r])\p{Cc}|\p{Cs}/gu, "\ufffd");
}
