import { type FindingMark, type HtmlContent, htmlFindings } from "@while/stats";
import { inFlags } from "../../in-flags.ts";

/** Sentences one under the other, each with its mark; nothing for none. */
export function said(texts: readonly string[], mark: FindingMark = "warning"): HtmlContent {
  return texts.length === 0 ? null : htmlFindings(texts.map((text) => ({ mark, text: inFlags(text) })));
}
