import * as z from "zod";
import { DESCRIPTION_MAX } from "./caps.ts";
import { instant, text } from "./field.ts";

/**
 * What may be asked of a run and dismissed with a reason: the three that a run is missing, and of what a person cannot
 * read yet the three that are about a run. A rubric is asked of a behavior, and there is no reason to have none.
 */
export const DISMISSIBLE = ["record", "score", "hours_cost", "silent", "rows", "name"] as const;

export type Dismissible = (typeof DISMISSIBLE)[number];

/** Why nobody needs to mend it, who said so and when. */
export interface Dismissal {
  reason: string;
  /** Name of the key or of the session's account. */
  by: string | null;
  at: string;
}

/** By what was asked for. */
export type Dismissals = Partial<Record<Dismissible, Dismissal>>;

export const dismissalsSchema: z.ZodType<Dismissals> = z
  .partialRecord(
    z.enum(DISMISSIBLE),
    z.object({ reason: z.string(), by: z.string().nullable(), at: instant }).meta({ id: "Dismissal" }),
  )
  .meta({ id: "Dismissals" });

/** A reason dismisses, null takes that back, and what is not named stays as it is. */
export type Dismiss = Partial<Record<Dismissible, string | null>>;

export const dismissSchema: z.ZodType<Dismiss> = z
  .partialRecord(
    z.enum(DISMISSIBLE),
    text(DESCRIPTION_MAX, 1)
      .refine((reason) => reason.trim() !== "", { error: "is blank: say why it may stay as it is" })
      .nullable(),
  )
  .meta({ id: "Dismiss" });
