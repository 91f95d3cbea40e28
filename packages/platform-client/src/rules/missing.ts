import type { Dismissal } from "../contract/dismissals.ts";
import type { ScoredRun } from "./newest-scores.ts";

/** The three things that a run without them cannot be read by. */
export type MissingKey = "record" | "score" | "hours_cost";

export interface Missing {
  items: { key: MissingKey; say: string }[];
  /** What is absent too, and was dismissed with a reason: neither the body nor the calls ask for it. */
  dismissed: ({ key: MissingKey; say: string } & Dismissal)[];
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
  const absent: { key: MissingKey; say: string; body: Record<string, unknown> }[] = [];
  const record = missingRecord(run);
  if (record !== null) {
    absent.push({ key: "record", say: `the record lacks ${Object.keys(record).join(", ")}`, body: { record } });
  }
  if ((run.evals ?? []).length === 0) absent.push({ key: "score", say: "no score on any behavior", body: {} });
  const lacks = (["hours", "costUsd"] as const).filter((field) => typeof run[field] !== "number");
  if (lacks.length > 0) {
    const say = `nobody can tell what it cost: no ${lacks.join(" and no ")}`;
    absent.push({ key: "hours_cost", say, body: Object.fromEntries(lacks.map((field) => [field, NUMBER])) });
  }
  const asked = absent.filter(({ key }) => run.dismissed?.[key] === undefined);
  const body = Object.assign({}, ...asked.map((one) => one.body)) as Record<string, unknown>;
  const [target = "refund_policy"] = run.targets ?? [];
  const open = `open(${JSON.stringify(run.id)})`;
  const score = JSON.stringify(target);
  const unscored = asked.some(({ key }) => key === "score");
  return {
    items: asked.map(({ key, say }) => ({ key, say })),
    dismissed: absent.flatMap(({ key, say }) => {
      const dismissal = run.dismissed?.[key];
      return dismissal === undefined ? [] : [{ key, say, ...dismissal }];
    }),
    body: Object.keys(body).length === 0 ? null : body,
    scoreCall: unscored ? `await (await tracked.${open}).score(${score}, score, { ci, n, rows })` : null,
    scoreCallPython: unscored ? `tracked.${open}.score(${score}, score, ci=ci, n=n, rows=rows)` : null,
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
