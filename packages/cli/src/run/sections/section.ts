import { type Html, type HtmlContent, html } from "@while/stats";

export interface Section {
  id: string;
  head: string;
  /** How to read the evidence beside it. */
  note: HtmlContent;
  body: HtmlContent;
}

/** A thin rule, a hanging head with its note, and the evidence. */
export function section({ id, head, note, body }: Section): Html {
  return html`<section class="part" aria-labelledby="${id}">
<header><h2 id="${id}">${head}</h2><div class="note">${note}</div></header>
<div class="body">${body}</div>
</section>
`;
}

/** Sentences in a list; those that should make a reader hesitate carry a mark and the word. */
export function sentences(said: readonly string[], { warn = false }: { warn?: boolean } = {}): Html | null {
  if (said.length === 0) return null;
  const items = said.map(
    (text) =>
      html`<li${warn ? html` class="warn"` : null}><span>${warn ? html`<b>Warning.</b> ` : null}${text}</span></li>`,
  );
  return html`<ul class="says">${items}</ul>`;
}

/** Names and values that are no comparison. */
export function definitions(pairs: readonly (readonly [name: HtmlContent, value: HtmlContent])[]): Html {
  return html`<dl class="defs">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** "not measured" as it looks everywhere. */
export const notMeasured: Html = html`<span class="none">not measured</span>`;
