import * as z from "zod";
import { type Message, messageSchema, type ToolSchema } from "./row.ts";

/** A row as a trainer reads it: a conversation, and on which of its messages the loss falls. */
export interface TrainingRow {
  messages: Message[];
  /** One entry a message: 1 is trained on, 0 is context. */
  loss_mask?: (0 | 1)[] | null;
  tools?: ToolSchema[] | null;
  /** Rows of one task. */
  group_id?: string | null;
  [key: string]: unknown;
}

/** Two replies to one context, the better one first. */
export interface PreferenceRow {
  prompt?: string | Message[] | null;
  chosen: Message[];
  rejected: Message[];
  chosen_score?: number | null;
  rejected_score?: number | null;
  margin?: number | null;
  chosen_model?: string | null;
  rejected_model?: string | null;
  /** Whether one policy wrote both; null when that is not known. */
  same_policy?: boolean | null;
  /** Code points of the chosen reply minus those of the rejected one. */
  length_delta?: number | null;
  tools?: ToolSchema[] | null;
  [key: string]: unknown;
}

const tools = z.array(z.looseObject({})).nullish();
const turns = z.array(messageSchema).min(1);

const trainingRowShape = z.looseObject({
  messages: turns,
  loss_mask: z.array(z.union([z.literal(0), z.literal(1)])).nullish(),
  tools,
  group_id: z.string().nullish(),
});

const preferenceRowShape = z.looseObject({
  prompt: z.union([z.string(), z.array(messageSchema)]).nullish(),
  chosen: turns,
  rejected: turns,
  chosen_score: z.number().nullish(),
  rejected_score: z.number().nullish(),
  margin: z.number().nullish(),
  chosen_model: z.string().nullish(),
  rejected_model: z.string().nullish(),
  same_policy: z.boolean().nullish(),
  length_delta: z.number().nullish(),
  tools,
});

/** What a training row must satisfy; unknown keys are kept. */
export const trainingRowSchema: z.ZodType<TrainingRow> = trainingRowShape as z.ZodType<TrainingRow>;

/** What a preference row must satisfy; unknown keys are kept. */
export const preferenceRowSchema: z.ZodType<PreferenceRow> = preferenceRowShape as z.ZodType<PreferenceRow>;
