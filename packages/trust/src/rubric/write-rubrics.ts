import { checkOptions, cutCodePoints, isObject, normText, type Row, roundHalfEven, textOf } from "@while/schema";
import { askWithin } from "../judge/ask-within.ts";
import { checkModel } from "../judge/asked-judge.ts";
import { inParallel } from "../judge/in-parallel.ts";
import { spokenPart } from "../judge/judge-reply.ts";
import { type ModelCall, replyOf } from "../judge/model-call.ts";
import { checkRunOptions } from "../judge/run-judge.ts";
import { TrustError } from "../trust-error.ts";
import { type Criterion, criterionFromJson, slugOf } from "./criterion.ts";
import { attachRubric, type Rubric, rubric, rubricOf, rubricVersion } from "./rubric.ts";

const RUBRIC_WRITER_MAX_TOKENS = 1200;
const SHOWN_CHARS = 4000;
const SHOWN_FAILURES = 10;
const PROMPT_CHARS = 120;

export interface WriteRubricsOptions {
  /** Fewest and most items. */
  nCriteria?: readonly [least: number, most: number];
  /** Hard items that a rubric may have; the lightest over it become principles. null for any number. */
  maxHard?: number | null;
  /** Write for prompts whose rows have a rubric already. */
  overwrite?: boolean;
  /** Where a row has a reference answer, beside `privileged.reference`. */
  referenceKey?: string;
  /** What the writer should know of the field. */
  domain?: string;
  modelName?: string;
  temperature?: number;
  maxTokens?: number;
  concurrency?: number;
  timeoutMs?: number;
  retries?: number;
  signal?: AbortSignal;
}

const NAMES = [
  ...["nCriteria", "maxHard", "overwrite", "referenceKey", "domain", "modelName", "temperature", "maxTokens"],
  ...["concurrency", "timeoutMs", "retries", "signal"],
];

/** What writing came to; prompts are counted once, upper case and blanks aside. */
export interface RubricsReport {
  prompts: number;
  written: number;
  /** Had a rubric already. */
  skipped: number;
  failed: number;
  /** The first ten. */
  failures: { prompt: string; error: string }[];
  /** Mean over the written ones, 2 decimals; null where none was. */
  criteriaPerRubric: number | null;
  maxHard: number | null;
  demotedHard: number;
  /** Rows by the version of their new rubric. */
  versions: Map<string, number>;
  writer: string | null;
}

/**
 * Lets a model write a rubric for every prompt, and attaches it to the prompt's rows (`privileged.rubric`, which no export
 * carries); new rows. A prompt that the writer fails on is named and stays without; the others go on.
 *
 * A rubric that a model wrote is a guess at what matters: read some before rewards rest on them. Lambert 2025, Synthetic
 * Data and Distillation.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export async function writeRubrics(
  rows: readonly Row[],
  model: ModelCall,
  options: WriteRubricsOptions = {},
): Promise<{ rows: Row[]; report: RubricsReport }> {
  const { nCriteria = [3, 8], maxHard = null, overwrite = false, domain = "", temperature = 0 } = options;
  const { maxTokens = RUBRIC_WRITER_MAX_TOKENS, concurrency = 8, timeoutMs, retries = 3, signal } = options;
  checkOptions(options, NAMES, (what, fix) => new TrustError("bad_option", what, fix));
  checkModel(model, { temperature, maxTokens });
  checkRunOptions(() => 0, { concurrency, retries, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  checkCounts(nCriteria, maxHard);

  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = normText(textOf(row.prompt));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const open = [...groups].filter(([, group]) => overwrite || group.every((row) => rubricOf(row) === null));
  const system = writerPrompt(nCriteria);
  const call = { timeoutMs, retries, backoffMs: 400, random: () => 0.5, signal };

  const written = await inParallel(open, concurrency, async ([key, group]): Promise<Written> => {
    const prompt = textOf(group[0]!.prompt);
    if (key === "") return { key, prompt, error: "the rows have no prompt" };
    const end = await askWithin(
      (aborted) =>
        model(
          [
            { role: "system", content: system },
            { role: "user", content: requestOf(group, domain, options.referenceKey) },
          ],
          { temperature, maxTokens, signal: aborted },
        ),
      call,
    );
    if ("failure" in end) return { key, prompt, error: end.error };
    try {
      const { criteria, demoted } = withFewHard(criteriaOf(replyOf(end.answer as string).text), maxHard);
      return { key, prompt, demoted, rubric: rubric(criteria, { source: "model", domain }) };
    } catch (error) {
      if (error instanceof TrustError) return { key, prompt, error: error.what };
      throw error;
    }
  });

  const rubrics = new Map<string, Rubric>();
  for (const one of written) if ("rubric" in one) rubrics.set(one.key, one.rubric);
  const failures = written.filter((one): one is Failed => "error" in one);
  const out = attachRubric(rows, (row) => rubrics.get(normText(textOf(row.prompt))) ?? null);
  const versions = new Map<string, number>();
  for (const [key, one] of rubrics) {
    const version = rubricVersion(one);
    versions.set(version, (versions.get(version) ?? 0) + groups.get(key)!.length);
  }
  const nItems = [...rubrics.values()].reduce((sum, { criteria }) => sum + criteria.length, 0);
  return {
    rows: out,
    report: {
      prompts: groups.size,
      written: rubrics.size,
      skipped: groups.size - open.length,
      failed: failures.length,
      failures: failures
        .slice(0, SHOWN_FAILURES)
        .map(({ prompt, error }) => ({ prompt: cutCodePoints(prompt, PROMPT_CHARS), error })),
      criteriaPerRubric: rubrics.size === 0 ? null : roundHalfEven(nItems / rubrics.size, 2),
      maxHard,
      demotedHard: written.reduce((sum, one) => sum + ("demoted" in one ? one.demoted : 0), 0),
      versions,
      writer: options.modelName ?? model.modelName ?? null,
    },
  };
}

interface Failed {
  key: string;
  prompt: string;
  error: string;
}

type Written = Failed | { key: string; prompt: string; demoted: number; rubric: Rubric };

function writerPrompt([least, most]: readonly [number, number]): string {
  return `You write grading rubrics, as an expert of the field of the request would.

Write between ${least} and ${most} criteria for a reply to it. Each one must stand on its own, so that somebody who sees nothing but the reply and the criterion can say yes or no. Cover the facts and actions that the request needs, the quality of the reply, and the mistakes that are commonly made. Prefer criteria that some replies will meet and others will not: one that every reply meets, or none, tells nothing apart. Do not copy sentences of the request or of the reference answer.

Answer with a JSON array and nothing else. Each element is an object with exactly these keys:
- "title": two to five words
- "description": one sentence that starts with its category: "Essential: …", "Important: …", "Optional: …" or "Pitfall: …"
- "weight": a whole number from 1 to 5; for a pitfall -1 or -2`;
}

function requestOf(group: readonly Row[], domain: string, referenceKey: string | undefined): string {
  const references = group.map((row) => {
    const own = isObject(row.privileged) ? textOf(row.privileged.reference) : "";
    return own === "" && referenceKey !== undefined ? textOf(row[referenceKey]) : own;
  });
  const reference = references.find((text) => text !== "") ?? "";
  return JSON.stringify({
    request: cutCodePoints(textOf(group[0]!.prompt), SHOWN_CHARS),
    ...(reference === "" ? {} : { reference_answer: cutCodePoints(reference, SHOWN_CHARS) }),
    ...(domain === "" ? {} : { domain_guidance: cutCodePoints(domain, SHOWN_CHARS) }),
  });
}

/** The items of a reply; of two that read the same, the first. */
function criteriaOf(reply: string): Criterion[] {
  const text = spokenPart(reply);
  let list: unknown;
  try {
    list = JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
  } catch {
    list = null; // Said below: there is no list in it.
  }
  const items = Array.isArray(list) ? list.flatMap((item) => criterionFromJson(item) ?? []) : [];
  if (items.length === 0) {
    const seen = JSON.stringify(cutCodePoints(text, 80));
    throw new TrustError(
      "bad_rubric",
      `The writer's reply holds no criteria: ${seen}.`,
      "Use a model that keeps to the form.",
    );
  }
  const slugs = new Set<string>();
  return items.filter(({ title }) => !slugs.has(slugOf(title)) && slugs.add(slugOf(title)));
}

/** Keeps the heaviest hard items, of equal ones the earlier; the others are principles from here on. */
function withFewHard(criteria: Criterion[], maxHard: number | null): { criteria: Criterion[]; demoted: number } {
  if (maxHard === null) return { criteria, demoted: 0 };
  const hard = criteria.filter(({ kind }) => kind === "hard").sort((a, b) => b.weight - a.weight);
  const kept = new Set(hard.slice(0, maxHard));
  return {
    criteria: criteria.map((item) => (item.kind !== "hard" || kept.has(item) ? item : { ...item, kind: "principle" })),
    demoted: Math.max(0, hard.length - maxHard),
  };
}

function checkCounts(nCriteria: readonly [number, number], maxHard: number | null): void {
  const [least, most] = nCriteria;
  if (!(Number.isSafeInteger(least) && Number.isSafeInteger(most) && least >= 1 && most >= least)) {
    throw new TrustError(
      "bad_option",
      `nCriteria is ${JSON.stringify(nCriteria)}.`,
      "Pass the fewest and the most items: nCriteria: [3, 8].",
    );
  }
  if (maxHard === null || (Number.isSafeInteger(maxHard) && maxHard >= 0)) return;
  throw new TrustError("bad_option", `maxHard is ${maxHard}.`, "Pass a whole number of 0 or more, or null.");
}
