import { checkContamination, type Dataset, listDatasets } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { percent, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { numberIn, type WireObject } from "../../wire-values.ts";

/** Whether rows of this set are in one that it is measured on. */
export function OverlapPart({ set, kin }: { set: Dataset; kin: readonly Dataset[] }): ReactNode {
  const measured = useMeasured().filter(({ datasetId }) => datasetId !== set.datasetId);
  const family = new Set(kin.map(({ datasetId }) => datasetId));
  const linked =
    measured.find(({ datasetId }) => datasetId === set.siblings.holdout) ??
    measured.find(({ datasetId }) => family.has(datasetId)) ??
    measured[0];
  const [chosen, setChosen] = useState<string | null>(null);
  const against = chosen ?? linked?.datasetId ?? null;
  const check = useSend(checkContamination);
  return (
    <Part
      id="overlap"
      title="Overlap"
      note="Rows that a set one measures on already holds: the same task, the same words, or nearly. A score on such a set says too much."
    >
      {against === null ? (
        <p className="none">There is no holdout and no eval set to look in.</p>
      ) : (
        <>
          <p className="small">
            Is it in{" "}
            <Pick
              label="Set to look in"
              value={against}
              options={measured.map(({ datasetId, name }) => ({ value: datasetId, label: name }))}
              onPick={(id) => {
                check.reset();
                setChosen(id);
              }}
            />
            ?{" "}
            <button
              type="button"
              className="button"
              disabled={check.isPending}
              onClick={() => check.mutate({ params: { id: set.datasetId }, body: { against } })}
            >
              {check.isPending ? "Looking …" : "Look"}
            </button>
          </p>
          <Refused error={check.error} />
          {check.data !== undefined && <Found report={check.data} />}
          <details>
            <summary>The same in a terminal</summary>
            <Code
              code={`wai pull ${set.datasetId} -o rows.jsonl
wai pull ${against} -o held-out.jsonl
wai decontaminate rows.jsonl --against held-out.jsonl -o clean.jsonl`}
            />
          </details>
        </>
      )}
    </Part>
  );
}

/** Sets of each kind that are offered. */
const OFFERED = 100;

/** The sets that one measures on. */
function useMeasured(): Dataset[] {
  const ready = { status: "ready", limit: OFFERED };
  const holdouts = useAnswer(listDatasets, { query: { ...ready, purpose: "holdout" } });
  const evals = useAnswer(listDatasets, { query: { ...ready, purpose: "eval" } });
  return [...(holdouts.data?.datasets ?? []), ...(evals.data?.datasets ?? [])];
}

/** What a report counts, by rule. */
const RULES = [
  ["n_same_task", "the same task"],
  ["n_exact", "the same words"],
  ["n_near", "nearly the same words"],
  ["n_contains", "a whole text of it inside"],
  ["n_near_duplicate", "near duplicates"],
] as const;

function Found({ report }: { report: WireObject }): ReactNode {
  const n = numberIn(report, "n") ?? 0;
  const found = numberIn(report, "n_contaminated") ?? 0;
  const rate = numberIn(report, "contamination_rate");
  return (
    <div role="status">
      <p className="says">
        <CheckMark state={found === 0 ? "ok" : "failing"} hidden />{" "}
        {found === 0 ? (
          <>
            <b className="good">None</b> of {whole(n)} rows is in it.
          </>
        ) : (
          <>
            <b className="bad">{whole(found)}</b> of {whole(n)} rows {found === 1 ? "is" : "are"} in it
            {rate !== null && `, ${percent(rate)}`}.
          </>
        )}
      </p>
      {found > 0 && (
        <dl className="defs">
          {RULES.flatMap(([key, words]) => {
            const count = numberIn(report, key) ?? 0;
            return count === 0
              ? []
              : [
                  <div key={key} className="pair">
                    <dt>{words}</dt>
                    <dd>{whole(count)} rows</dd>
                  </div>,
                ];
          })}
        </dl>
      )}
    </div>
  );
}
