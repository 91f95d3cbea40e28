import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownKeys, shownValue } from "../text/shown-value.ts";
import { imported, isMessages, toolsOf } from "./chat-row.ts";
import type { Format, ReaderContext } from "./format.ts";
import { chatRecord } from "./openai-chat.ts";
import { answerRow, preferenceRows } from "./preference-rows.ts";
import { rescored } from "./scored.ts";

/**
 * The column sets of TRL and of data sets made for it. A column is a message list (conversational) or a text
 * (standard); tools are a list or its JSON text.
 */

type Side = string | readonly Message[];

/** `prompt` + `chosen` + `rejected`, or the two answers alone with the prompt as what they share. */
export const preference: Format = {
  name: "preference",
  title: "preference pairs",
  detect: ({ chosen, rejected }) => isSide(chosen) && isSide(rejected),
  open: (context) => ({ read: (record) => pairRows(record, context) }),
};

/** `prompt` + `completion` + `label`: one answer, good or not (KTO). */
export const kto: Format = {
  name: "kto",
  title: "unpaired preferences",
  detect: ({ prompt, completion, label }) => isSide(prompt) && isSide(completion) && label !== undefined,
  open: (context) => ({ read: (record) => [ktoRow(record, context)] }),
};

/** `prompt` + `completions` + `labels`: an answer judged step by step. */
export const stepwise: Format = {
  name: "stepwise",
  title: "stepwise supervision",
  detect: ({ prompt, completions, labels }) => isSide(prompt) && Array.isArray(completions) && Array.isArray(labels),
  open: (context) => ({ read: (record) => [stepwiseRow(record, context)] }),
};

/** `prompt` + `completion`. */
export const promptCompletion: Format = {
  name: "prompt-completion",
  title: "prompts and completions",
  detect: ({ prompt, completion }) => isSide(prompt) && isSide(completion),
  open: (context) => ({ read: (record) => [completionRow(record, "prompt-completion", context)] }),
};

/** `prompt` as a message list and no answer. */
export const promptOnly: Format = {
  name: "prompt-only",
  title: "prompts without answers",
  detect: (record) => isMessages(record.prompt) && !ANSWER_KEYS.some((key) => record[key] !== undefined),
  open: (context) => ({ read: (record) => [promptRow(record, context)] }),
};

/** Any of these by their columns; chosen by name, so that a file may mix them. */
export const trl: Format = {
  name: "trl",
  title: "TRL columns",
  detect: () => false,
  open: (context) => ({
    read(record) {
      if (preference.detect(record)) return pairRows(record, context);
      if (stepwise.detect(record)) return [stepwiseRow(record, context)];
      if (kto.detect(record)) return [ktoRow(record, context)];
      if (promptCompletion.detect(record)) return [completionRow(record, "prompt-completion", context)];
      if (isMessages(record.messages)) return [chatRecord(record, "openai-chat", context)];
      if (isSide(record.prompt)) return [promptRow(record, context)];
      throw new SchemaError(
        "bad_value",
        `The columns ${shownKeys(record)} are none that TRL trains on.`,
        "Write messages, prompt and completion, or chosen and rejected.",
      );
    },
  }),
};

const ANSWER_KEYS = [
  "completion",
  "completions",
  "chosen",
  "messages",
  "final_text",
  "final",
  "output",
  "response",
  "answer",
];

function pairRows(record: SourceObject, context: ReaderContext): Row[] {
  const { prompt, chosen, rejected, tools: _, ...rest } = record;
  const sides = splitSides(prompt, sideOf(chosen, "chosen"), sideOf(rejected, "rejected"));
  return preferenceRows({ ...sides, common: { ...rest, ...toolsOf(record) } }, "preference", context);
}

/** What was asked, apart from the two answers. */
function splitSides(prompt: unknown, chosen: Side, rejected: Side): { context: Side; chosen: Side; rejected: Side } {
  if (
    isMessages(prompt) ||
    (typeof prompt === "string" && (typeof chosen === "string" || typeof rejected === "string"))
  ) {
    return { context: prompt, chosen, rejected };
  }
  // Whole conversations on both sides, with or without the ask as text beside them.
  if (typeof chosen === "string" && typeof rejected === "string") {
    const cut = sharedText(chosen, rejected);
    return { context: chosen.slice(0, cut), chosen: chosen.slice(cut), rejected: rejected.slice(cut) };
  }
  const a = asList(chosen);
  const b = asList(rejected);
  let shared = 0;
  while (shared < Math.min(a.length, b.length) - 1 && JSON.stringify(a[shared]) === JSON.stringify(b[shared])) shared++;
  if (shared === 0 && typeof prompt === "string") return { context: prompt, chosen, rejected };
  return { context: a.slice(0, shared), chosen: a.slice(shared), rejected: b.slice(shared) };
}

/** Length of the common beginning, cut back to where a word ends: an answer begins with a whole word. */
function sharedText(a: string, b: string): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return Math.max(a.slice(0, shared).lastIndexOf(" "), a.slice(0, shared).lastIndexOf("\n")) + 1;
}

function asList(side: Side): readonly Message[] {
  return typeof side === "string" ? [{ role: "assistant", content: side }] : side;
}

function ktoRow(record: SourceObject, context: ReaderContext): Row {
  const { label, ...rest } = record;
  if (label !== true && label !== false && label !== 0 && label !== 1) {
    throw new SchemaError("bad_value", `label is ${shownValue(label)}.`, "Write true or false.");
  }
  const row = completionRow(rest, "kto", context);
  return { ...row, reward: label === true || label === 1 ? 1 : 0, label_source: "label" };
}

function completionRow(record: SourceObject, importer: string, context: ReaderContext): Row {
  const { prompt, completion, tools: _, ...rest } = record;
  const asked = sideOf(prompt, "prompt");
  const row = { ...answerRow(asked, sideOf(completion, "completion"), importer, context), ...toolsOf(record) };
  return rescored(imported(row, rest, [asked], importer, context), context.options);
}

function promptRow(record: SourceObject, context: ReaderContext): Row {
  const { prompt, tools: _, ...rest } = record;
  const asked = sideOf(prompt, "prompt");
  const row = { ...answerRow(asked, "", "prompt-only", context), ...toolsOf(record) };
  return imported(row, rest, [asked], "prompt-only", context);
}

function stepwiseRow(record: SourceObject, context: ReaderContext): Row {
  const { prompt, completions, labels, tools: _, ...rest } = record;
  const asked = sideOf(prompt, "prompt");
  if (!Array.isArray(completions) || !Array.isArray(labels) || completions.length !== labels.length) {
    throw new SchemaError(
      "bad_value",
      `There are ${lengthOf(completions)} completions and ${lengthOf(labels)} labels.`,
      "Write one label a completion.",
    );
  }
  const bad = completions.findIndex((completion) => typeof completion !== "string");
  if (bad >= 0) {
    const shown = shownValue(completions[bad]);
    throw new SchemaError("bad_value", `completions[${bad}] is ${shown} and not text.`, "Write the text of each step.");
  }
  const markers = Object.fromEntries(labels.map((label, step) => [`step_${step}`, stepLabel(label, step)]));
  const row: Row = {
    ...answerRow(asked, completions.join("\n"), "stepwise", context),
    ...toolsOf(record),
    completions,
    markers,
    reward: Object.values(markers).every((right) => right === 1) ? 1 : 0,
    label_source: "stepwise",
  };
  return imported(row, rest, [asked], "stepwise", context);
}

function stepLabel(label: unknown, step: number): 0 | 1 {
  if (label === true || label === 1) return 1;
  if (label === false || label === 0) return 0;
  throw new SchemaError("bad_value", `labels[${step}] is ${shownValue(label)}.`, "Write true or false.");
}

function isSide(value: unknown): value is Side {
  return typeof value === "string" || isMessages(value);
}

function sideOf(value: unknown, column: string): Side {
  if (isSide(value)) return value;
  throw new SchemaError(
    "bad_value",
    `${column} is neither a text nor a list of messages.`,
    "Write [{role, content}, …].",
  );
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
