import { type Html, type HtmlContent, html } from "./html.ts";

/** `fails` a cross, `warning` an exclamation mark, `open` a dash, `passes` a tick. */
export type FindingMark = "fails" | "warning" | "open" | "passes";

export interface Finding {
  mark: FindingMark;
  text: HtmlContent;
  /** The word to branch on or look up. */
  code?: string;
  /** What to do about it. */
  todo?: HtmlContent;
}

const SHAPES: Readonly<Record<FindingMark, { name: string; path: string }>> = {
  fails: { name: "no", path: "M1.4 1.4 8.6 8.6M8.6 1.4 1.4 8.6" },
  warning: { name: "wa", path: "M5 .4v5.8M5 7.9v1.7" },
  open: { name: "op", path: "M1.5 5h7" },
  passes: { name: "ok", path: "M1.2 5.4 4 8.2 8.8 1.8" },
};

/** Findings one under the other, each with a shape and with that shape's word for those who do not see it. */
export function htmlFindings(findings: readonly Finding[]): Html {
  return html`<ul class="finds">${findings.map(({ mark, text, code, todo }) => {
    const { name, path } = SHAPES[mark];
    return html`
<li><svg class="chk ${name}" viewBox="0 0 10 10" role="img" aria-label="${mark}"><path d="${path}"/></svg><div>${text}${
      code !== undefined && html`<code>${code}</code>`
    }</div>${todo !== undefined && html`<p class="do">${todo}</p>`}</li>`;
  })}
</ul>`;
}
