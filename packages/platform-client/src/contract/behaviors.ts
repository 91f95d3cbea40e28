import * as z from "zod";
import { READ_RUNS, WRITE_RUNS } from "./agents.ts";
import { BEHAVIOR_NAME_MAX, DESCRIPTION_MAX, NAME_MAX, RUBRIC_MAX } from "./caps.ts";
import { atLeast, between, count, named, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";

/** Who scores a behavior's held-out test, and how well that was checked against people. */
export interface Judge {
  name?: string | null;
  /** Share of labels it agrees with. */
  agreement?: number | null;
  /** Labels by people behind it. */
  humanN?: number | null;
  /** Correlation of score and reply length. */
  lengthBias?: number | null;
  /** The numbers were measured and not typed. */
  verified?: boolean | null;
}

export const judgeSchema: z.ZodType<Judge> = z
  .object({
    name: opt(text(NAME_MAX)),
    agreement: opt(between(0, 1)),
    humanN: opt(count()),
    lengthBias: opt(between(-1, 1)),
    verified: opt(z.boolean()),
  })
  .meta({ id: "Judge" });

/** What is stored of a behavior beside its name. */
export interface BehaviorFields {
  /** Name of the frozen test; a new one when its asks change. */
  testVersion?: string | null;
  /** Tasks of the test. */
  n?: number | null;
  judge?: Judge | null;
  /** What a score moves by itself when nothing changed, in points. */
  noiseFloor?: number | null;
  /** Points at which it was measured: a band is wide in the middle and narrow near 0 and 100. */
  noiseFloorAt?: number | null;
  /** Test items found in training data. */
  contamination?: number | null;
  /** The training reward is this judge. */
  rewardIsJudge?: boolean | null;
  /** What scores the test; under a program nobody asks for a judge's agreement. */
  gradedBy?: "program" | "judge" | null;
  description?: string | null;
  /** The judge's instructions, word for word. */
  rubric?: string | null;
}

/** One thing that is measured of an agent. */
export interface Behavior extends BehaviorFields {
  name: string;
}

export const behaviorName: z.ZodType<string> = named(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  `1 to ${BEHAVIOR_NAME_MAX} letters, digits, ".", "_" and "-", beginning with a letter or digit`,
);

const fields = {
  testVersion: opt(text(NAME_MAX)),
  n: opt(count(1)),
  judge: opt(judgeSchema),
  noiseFloor: opt(atLeast(0)),
  noiseFloorAt: opt(between(0, 100)),
  contamination: opt(count()),
  rewardIsJudge: opt(z.boolean()),
  gradedBy: opt(z.enum(["program", "judge"])),
  description: opt(text(DESCRIPTION_MAX)),
  rubric: opt(text(RUBRIC_MAX)),
};

export const behaviorFieldsSchema: z.ZodType<BehaviorFields> = z.object(fields).meta({ id: "BehaviorFields" });

export const behaviorSchema: z.ZodType<Behavior> = z.object({ name: behaviorName, ...fields }).meta({ id: "Behavior" });

export const putBehavior: Route<BehaviorFields, Behavior> = route({
  id: "putBehavior",
  call: "PUT /agents/{id}/behaviors/{name}",
  summary: "Declares a behavior or changes it: absent fields stay, null clears, `judge` is replaced whole.",
  tag: "behaviors",
  scopes: WRITE_RUNS,
  body: behaviorFieldsSchema,
  answer: behaviorSchema,
  errors: ["not_found", "invalid_field"],
});

export const listBehaviors: Route<null, { behaviors: Behavior[] }> = route({
  id: "listBehaviors",
  call: "GET /agents/{id}/behaviors",
  summary: "Behaviors in the order they were first declared.",
  tag: "behaviors",
  scopes: READ_RUNS,
  answer: z.object({ behaviors: z.array(behaviorSchema) }),
  errors: ["not_found"],
});
