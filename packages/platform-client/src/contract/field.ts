import { codePointLength } from "@while/schema";
import * as z from "zod";

// The vocabulary of the wire: what a field may hold. Null and absent mean the same but where a route says otherwise.

/** A field that may be absent or null. */
export function opt<T extends z.ZodType>(schema: T): z.ZodExactOptional<z.ZodNullable<T>> {
  return schema.nullable().exactOptional();
}

/** Text of `min` to `max` code points: 😀 is one, where `length` says two. */
export function text(max: number, min = 0): z.ZodType<string> {
  return z
    .string()
    .superRefine((value, context) => {
      const n = codePointLength(value);
      if (n >= min && n <= max) return;
      const rule = min === 0 ? `at most ${max}` : `${min} to ${max}`;
      context.addIssue({ code: "custom", message: `has ${n} characters and may have ${rule}` });
    })
    .meta({ maxLength: max, ...(min > 0 ? { minLength: min } : {}) });
}

/** A whole number from `min`. */
export function count(min = 0): z.ZodType<number> {
  return z.int().min(min);
}

/** A finite number from `min`. */
export function atLeast(min: number): z.ZodType<number> {
  return z.number().min(min);
}

/** A share or a correlation. */
export function between(min: number, max: number): z.ZodType<number> {
  return z.number().min(min).max(max);
}

/** Text of a fixed form, with the form in words for the refusal. */
export function named(pattern: RegExp, form: string): z.ZodType<string> {
  return z.string().regex(pattern, { error: `is not ${form}` });
}

/** A JSON object whose keys are the sender's own. */
export const freeObject: z.ZodType<Record<string, unknown>> = z.record(z.string(), z.unknown());

/** An instant in ISO 8601, UTC. */
export const instant: z.ZodType<string> = z.string().meta({ format: "date-time" });

/** A calendar day, `2026-09-17`. */
export const day: z.ZodType<string> = z
  .string()
  .refine((value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value), { error: "is not a calendar day YYYY-MM-DD" })
  .meta({ format: "date" });

function isDay(value: string): boolean {
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}
