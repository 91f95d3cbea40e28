import type { ScoredRun } from "./newest-scores.ts";

/** The three things that a run without them cannot be read by. */
export type MissingKey = "record" | "score" | "hours_cost";

export interface Missing {
  items: { key: MissingKey; say: string }[];
  /**
   * What is absent, with placeholders: ready for `PATCH /runs/{id}` once they are filled in, and so in that call's own
   * spelling. Null when nothing is.
   */
  body: Record<string, unknown> | null;
  /** A score is posted and not patched: the call for it. Null when there is one. */
  scoreCall: string | null;
  scoreCallPython: string | null;
}

const NUMBER = "<number>";
const TEXT = "<text>";

/** The fields that a reader needs first, by block of the record. */
const FIRST: Readonly<Record<"data" | "optimizer" | "eval" | "provenance", Record<string, unknown>>> = {
  data: { train: TEXT, nTrain: NUMBER, holdout: TEXT, nHoldout: NUMBER },
  optimizer: { lossType: TEXT, lr: NUMBER, seed: NUMBER },
  eval: { metric: "pass@1", k: NUMBER },
  provenance: { pins: { "<name>": TEXT }, commit: TEXT },
};

/** What a run lacks, and the body that mends it. A run that only evaluated is not asked for an optimizer or for train data. */
export function missingOf(run: ScoredRun): Missing {
  const items: Missing["items"] = [];
  const body: Record<string, unknown> = {};
  const record = missingRecord(run);
  if (record !== null) {
    items.push({ key: "record", say: `the record lacks ${Object.keys(record).join(", ")}` });
    body.record = record;
  }
  const scored = (run.evals ?? []).length > 0;
  if (!scored) items.push({ key: "score", say: "no score on any behavior" });
  const lacks = (["hours", "costUsd"] as const).filter((field) => typeof run[field] !== "number");
  if (lacks.length > 0) {
    items.push({ key: "hours_cost", say: `nobody can tell what it cost: no ${lacks.join(" and no ")}` });
    for (const field of lacks) body[field] = NUMBER;
  }
  const [target = "refund_policy"] = run.targets ?? [];
  const open = `open(${JSON.stringify(run.id)})`;
  return {
    items,
    body: Object.keys(body).length === 0 ? null : body,
    scoreCall: scored ? null : `await (await tracked.${open}).score(${JSON.stringify(target)}, score, { ci, n, rows })`,
    scoreCallPython: scored ? null : `tracked.${open}.score(${JSON.stringify(target)}, score, ci=ci, n=n, rows=rows)`,
  };
}

function missingRecord({ record, method }: ScoredRun): Record<string, unknown> | null {
  const evalOnly = method === "eval";
  const absent: Record<string, unknown> = {};
  for (const [block, fields] of Object.entries(FIRST)) {
    if (hasContent(record?.[block as keyof typeof FIRST])) continue;
    if (evalOnly && block === "optimizer") continue;
    const { train, nTrain, ...held } = fields;
    absent[block] = evalOnly && block === "data" ? held : fields;
  }
  return Object.keys(absent).length === 0 ? null : absent;
}

function hasContent(block: object | null | undefined): boolean {
  return Object.values(block ?? {}).some((value) =>
    typeof value === "object" && value !== null ? hasContent(value) : value !== null && value !== undefined,
  );
}
