import { isObject, type Row } from "@while/schema";
import type { Rules } from "../source.ts";
import type { ConversionCounts } from "./conversion-counts.ts";

/**
 * The rules to put in front of a row: those the caller gave (also ""), else those the row names by sha, else the
 * row's own, else the source's. A model trained without them learns to behave with no rules in sight.
 *
 * @param given The caller's choice for every row; undefined when there is none
 * @param hasOwn The conversation begins with a system message
 * @returns null to leave the conversation as it begins
 */
export function systemPromptFor(
  row: Row,
  {
    given,
    rules,
    hasOwn,
    counts,
  }: { given: string | undefined; rules: Rules; hasOwn: boolean; counts: ConversionCounts },
): string | null {
  if (given !== undefined) return given;
  const sha = isObject(row.lineage) ? row.lineage.system_prompt_sha : null;
  const named = typeof sha === "string" && sha !== "" ? sha : null;
  const resolved = named === null ? undefined : rules.bySha.get(named);
  if (resolved !== undefined) return resolved;
  if (typeof row.system_prompt === "string" && row.system_prompt !== "") return row.system_prompt;
  if (rules.text !== null && rules.text !== "") {
    if (named !== null && named !== rules.sha) counts.systemPromptMismatch++;
    return rules.text;
  }
  if (named !== null && !hasOwn) counts.systemPromptUnresolved++;
  return null;
}
