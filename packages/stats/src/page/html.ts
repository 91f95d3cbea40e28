/** A piece of markup that is safe to stand in a page as it is. Made by `html`, and by nothing else. */
export interface Html {
  readonly markup: string;
}

/** What may stand in a page: markup as it is, text and numbers escaped, lists one after the other, nothing for null. */
export type HtmlContent = Html | string | number | null | undefined | false | readonly HtmlContent[];

/**
 * Markup from a template: every value put in is escaped unless it is markup itself, so text that a user or an agent
 * wrote cannot become an element.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlContent[]): Html {
  return { markup: strings.reduce((markup, part, i) => markup + markupOf(values[i - 1]) + part) };
}

/** The same for content that is already in hand. */
export function markupOf(content: HtmlContent): string {
  if (content === null || content === undefined || content === false) return "";
  if (typeof content === "string" || typeof content === "number") return escapeHtml(String(content));
  if (Array.isArray(content)) return content.map(markupOf).join("");
  return (content as Html).markup;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute. Control characters and halves of characters become U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!).replace(/(?![\t\n\r])\p{Cc}|\p{Cs}/gu, "\ufffd");
}

/** Numbers as a page sets them: a minus is U+2212, as wide as a plus, and not a hyphen. */
export function typographic(number: string): string {
  return number.replace(/-/g, "\u2212");
}
