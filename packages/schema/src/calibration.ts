import * as z from "zod";
import { sha256Hex } from "./hash/sha256.ts";
import { isObject } from "./is-object.ts";
import type { Row } from "./row.ts";
import { textOf } from "./text/text-of.ts";

/** Which policy did something. `promptHash` is the first 16 hex digits of its system prompt's SHA-256. */
export interface PolicyRef {
  name: string;
  model: string | null;
  promptHash: string | null;
  version: string | null;
}

/**
 * How hard a task was for one student, as measured before anything was selected: the basis of difficulty filtering
 * (Lambert 2025, chapter Reasoning) and dynamic sampling (DAPO, arXiv:2503.14476).
 */
export interface Calibration {
  taskId: string;
  student: PolicyRef;
  /** Rollouts that were graded, before duplicates and trims took some away. */
  n: number;
  /** Share of them that passed. */
  passRate: number;
  /** Mean KL divergence of the student from its reference; null when not measured. */
  meanKl: number | null;
  /** Wilson 95% interval (z = 1.96) on `passRate`, to four decimals; null when not stamped or not believable. */
  passRateCi95: [low: number, high: number] | null;
  /** Keys of the stamp that this version does not know; `calibrationStamp` writes them back. */
  extra: Record<string, unknown>;
}

const share = z.number().min(0).max(1);

/** The stamp as writers write it. `calibrationOf` reads more: numbers as text, a missing student. */
export const calibrationSchema: z.ZodType<Record<string, unknown>> = z.looseObject({
  task_id: z.string(),
  student: z.looseObject({
    name: z.string(),
    model: z.string().nullish(),
    prompt_hash: z.string().nullish(),
    version: z.string().nullish(),
  }),
  n: z.int().min(1),
  pass_rate: share,
  mean_kl: z.number().nullish(),
  pass_rate_ci95: z.tuple([share, share]).nullish(),
});

const STAMP_KEYS: ReadonlySet<string> = new Set(["task_id", "student", "n", "pass_rate", "mean_kl", "pass_rate_ci95"]);

/** Bounds are stamped to four decimals, so a rate may stick out by half of the last one. */
const BOUND_SLACK = 0.5e-4;

/**
 * The `calibration` stamp of a row, read with types. Numbers may be spelled as text. An interval that is reversed,
 * leaves [0, 1] or does not contain the rate is dropped and the rest kept.
 *
 * @returns null when there is no stamp, or when its rate is no share or its `n` no positive whole number
 */
export function calibrationOf(row: Row): Calibration | null {
  const stamp = row.calibration;
  if (!isObject(stamp)) return null;
  const passRate = numberOf(stamp.pass_rate);
  const n = numberOf(stamp.n);
  if (passRate === null || passRate < 0 || passRate > 1) return null;
  if (n === null || !Number.isInteger(n) || n < 1) return null;
  return {
    taskId: textOf(stamp.task_id) || textOf(row.scenario_id) || textOf(row.task_id) || textOf(row.prompt),
    student: policyRef(stamp.student),
    n,
    passRate,
    meanKl: numberOf(stamp.mean_kl),
    passRateCi95: intervalOf(stamp.pass_rate_ci95, passRate),
    extra: Object.fromEntries(Object.entries(stamp).filter(([key]) => !STAMP_KEYS.has(key))),
  };
}

/** The stamp as rows carry it, for writers: `calibrationOf` reads it back unchanged. */
export function calibrationStamp(calibration: Calibration): Record<string, unknown> {
  const { student } = calibration;
  return {
    task_id: calibration.taskId,
    student: {
      name: student.name,
      model: student.model,
      prompt_hash: student.promptHash,
      version: student.version,
    },
    n: calibration.n,
    pass_rate: calibration.passRate,
    mean_kl: calibration.meanKl,
    pass_rate_ci95: calibration.passRateCi95,
    ...calibration.extra,
  };
}

/**
 * A policy by what is known of it: an object field by field (either spelling of the hash), a string as its system
 * prompt, which becomes the hash, nothing as the empty reference.
 */
export function policyRef(policy?: unknown): PolicyRef {
  if (typeof policy === "string") {
    return { name: "", model: null, promptHash: policy === "" ? null : sha256Hex(policy).slice(0, 16), version: null };
  }
  if (!isObject(policy)) return { name: "", model: null, promptHash: null, version: null };
  return {
    name: textOf(policy.name),
    model: textOf(policy.model) || null,
    promptHash: textOf(policy.promptHash) || textOf(policy.prompt_hash) || null,
    version: textOf(policy.version) || null,
  };
}

function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function intervalOf(value: unknown, passRate: number): [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [low, high] = value;
  if (typeof low !== "number" || typeof high !== "number") return null;
  const holds = low >= 0 && high <= 1 && low - BOUND_SLACK <= passRate && passRate <= high + BOUND_SLACK;
  return holds && low <= high ? [low, high] : null;
}
