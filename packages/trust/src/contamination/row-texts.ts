import { blockText, isObject, messagesOf, type Row, textOf } from "@while/schema";
import type { RuleSet } from "./token-scanner.ts";

/** One text of a row that is compared on its own. */
export interface RowText {
  field: string;
  text: string;
}

/**
 * The texts of a row under the fields, in their order. Each turn of a conversation is a text of its own (as Tulu 3
 * does), and several turns of a user are compared joined once more. The same text is not compared twice.
 */
export function rowTexts(row: Row, fields: readonly string[]): RowText[] {
  const texts: RowText[] = [];
  const seen = new Set<string>();
  for (const field of fields) {
    for (const text of textsUnder(row, field)) {
      if (text === "" || seen.has(text)) continue;
      seen.add(text);
      texts.push({ field, text });
    }
  }
  return texts;
}

function textsUnder(row: Row, field: string): string[] {
  if (field === "prompt" || field === "final_text") return [textOf(row[field])];
  if (field === "steps.result") {
    return Array.isArray(row.steps) ? row.steps.map((step) => (isObject(step) ? textOf(step.result) : "")) : [];
  }
  if (field.startsWith("messages.")) {
    const role = field.slice("messages.".length);
    const hasTurns = Array.isArray(row.messages) || Array.isArray(row.steps);
    if (role === "user" && !hasTurns) return [textOf(row.prompt)];
    const turns = messagesOf(row).flatMap((message) => {
      return isObject(message) && message.role === role ? [blockText(message.content)] : [];
    });
    return role === "user" && turns.length > 1 ? [...turns, turns.join("\n")] : turns;
  }
  return [textOf(valueAt(row, field))];
}

/** The value under `a`, or under `a.b` where no field has that whole name. */
export function valueAt(row: Row, field: string): unknown {
  if (field in row || !field.includes(".")) return row[field];
  let value: unknown = row;
  for (const key of field.split(".")) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** By what a row says of itself which task it is of. v1 reads one key; v2 either, since a row names its task by either. */
export function taskIdsOf(row: Row, rules: RuleSet): string[] {
  const ids = [row.scenario_id, row.task_id].map((id) => (rules === "v1" && !id ? "" : textOf(id)));
  const present = ids.filter((id) => id !== "");
  if (rules === "v1") return present.slice(0, 1);
  return present[0] === present[1] ? present.slice(0, 1) : present;
}
