import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row } from "../row.ts";
import { chatRow, imported, lineageOf } from "./chat-row.ts";
import type { ReaderContext } from "./format.ts";

/** Two answers to one context, the better one named. Texts or messages. */
export interface Preference {
  context: string | readonly Message[];
  chosen: string | readonly Message[];
  rejected: string | readonly Message[];
  /** The other keys of the record; they hold for both answers. */
  common: SourceObject;
}

/** Two rows of one task, the chosen one with reward 1; or with `as: "pairs"` one row that holds both. */
export function preferenceRows(preference: Preference, importer: string, context: ReaderContext): Row[] {
  const { context: asked, chosen, rejected, common } = preference;
  if (context.options.as === "pairs") {
    const row: Row = {
      prompt: promptOf(asked),
      chosen: [...asMessages(asked, "user"), ...asMessages(chosen, "assistant")],
      rejected: [...asMessages(asked, "user"), ...asMessages(rejected, "assistant")],
      lineage: lineageOf(importer, context),
    };
    return [imported(row, common, [asked], importer, context)];
  }
  return [
    answered(asked, chosen, 1, common, importer, context),
    answered(asked, rejected, 0, common, importer, context),
  ];
}

function answered(
  asked: Preference["context"],
  answer: Preference["chosen"],
  reward: 0 | 1,
  common: SourceObject,
  importer: string,
  context: ReaderContext,
): Row {
  const row = answerRow(asked, answer, importer, context);
  const whole = imported(row, common, [asked], importer, context);
  return { ...whole, reward, label_source: "preference" };
}

/** One answer to one context as a row; texts stay texts, and a text beside messages becomes a message. */
export function answerRow(
  asked: Preference["context"],
  answer: Preference["chosen"],
  importer: string,
  context: ReaderContext,
): Row {
  if (typeof asked === "string" && typeof answer === "string") {
    return { prompt: asked, steps: [], final_text: answer, lineage: lineageOf(importer, context) };
  }
  return chatRow([...asMessages(asked, "user"), ...asMessages(answer, "assistant")], importer, context);
}

function asMessages(side: Preference["context"], role: string): readonly Message[] {
  if (typeof side !== "string") return side;
  return side === "" ? [] : [{ role, content: side }];
}

function promptOf(asked: Preference["context"]): string {
  if (typeof asked === "string") return asked;
  const first = asked.find(({ role }) => role === "user")?.content;
  return typeof first === "string" ? first : "";
}
