import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { textOf } from "../text/text-of.ts";

/** What promptfoo's graders found, apart from what they compared with. */
export interface PromptfooGrading {
  reason: string;
  /** For `judge_meta`: the rest of the grading, each assertion's result under `checks`. */
  open: SourceObject;
  /** The assertions' values, as rubrics and expected outputs. */
  secret: unknown[];
}

/** Keys of an assertion that say what kind it is and not what it expects. */
const KIND_KEYS: readonly string[] = ["type", "metric", "weight", "threshold"];

/** The grading of a result, taken apart. */
export function gradingOf(grading: unknown): PromptfooGrading {
  if (!isObject(grading)) return { reason: "", open: {}, secret: [] };
  const { reason, componentResults: components, assertion, pass, score, ...rest } = grading;
  const secret: unknown[] = [];
  const open: SourceObject = { ...rest, grading: { pass, score } };
  if (Array.isArray(components)) open.checks = components.map((component) => withoutExpected(component, secret));
  if (isObject(assertion)) Object.assign(open, withoutExpected({ assertion }, secret));
  return { reason: textOf(reason), open, secret };
}

/** Whether a grader itself failed: its verdict is none, whatever it says. */
export function brokenGrader(grading: unknown): boolean {
  if (!isObject(grading)) return false;
  const components = Array.isArray(grading.componentResults) ? grading.componentResults : [];
  return [grading, ...components].some(
    (part) => isObject(part) && isObject(part.metadata) && Boolean(part.metadata.graderError),
  );
}

function withoutExpected(component: unknown, secret: unknown[]): unknown {
  if (!isObject(component)) return component;
  const { componentResults: inner, assertion, ...rest } = component;
  const open: SourceObject = rest;
  if (Array.isArray(inner)) open.componentResults = inner.map((part) => withoutExpected(part, secret));
  if (!isObject(assertion)) return open;
  const entries = Object.entries(assertion);
  open.assertion = Object.fromEntries(entries.filter(([key]) => KIND_KEYS.includes(key)));
  const expected = entries.filter(([key]) => !KIND_KEYS.includes(key));
  if (expected.length > 0) secret.push(Object.fromEntries(expected));
  return open;
}
