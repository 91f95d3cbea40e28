import { checkContamination, type Dataset, listDatasets } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { percent, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { numberIn, type WireObject } from "../../wire-values.ts";
import { type OverlapHit, overlapHits, overlapNotes, RULES, rowsWords } from "./overlap-reading.ts";

/** Whether rows of this set are in one that it is measured on. */
export function OverlapPart({ set, kin }: { set: Dataset; kin: readonly Dataset[] }): ReactNode {
  const measured = useMeasured().filter(({ datasetId }) => datasetId !== set.datasetId);
  const family = new Set(kin.map(({ datasetId }) => datasetId));
  const linked =
    measured.find(({ datasetId }) => datasetId === set.siblings.holdout) ??
    measured.find(({ datasetId }) => family.has(datasetId)) ??
    measured[0];
  const [search, choose] = useChoices();
  const asked = textOf(search, "against");
  const [chosen, setChosen] = useState<string | null>(null);
  const against = chosen ?? asked ?? linked?.datasetId ?? null;
  const { mutate: look, ...check } = useSend(checkContamination);
  // A link that names a set is a question that was asked: it is looked up where it is opened.
  useEffect(() => {
    if (asked !== undefined) look({ params: { id: set.datasetId }, body: { against: asked } });
  }, [asked, set.datasetId, look]);
  const onLook = (): void => {
    if (against === null) return;
    if (against === asked) look({ params: { id: set.datasetId }, body: { against } });
    else choose({ against }, { keepPage: true });
  };
  const offered = measured.map(({ datasetId, name }) => ({ value: datasetId, label: name }));
  if (against !== null && !offered.some(({ value }) => value === against))
    offered.push({ value: against, label: against });
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
              options={offered}
              onPick={(id) => {
                check.reset();
                setChosen(id);
              }}
            />
            ?{" "}
            <button type="button" className="button" disabled={check.isPending} onClick={onLook}>
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
      <Hits hits={overlapHits(report)} />
      {overlapNotes(report).map((note) => (
        <p key={note} className="note wrap">
          <bdi>{note}</bdi>
        </p>
      ))}
    </div>
  );
}

/** Rows that are in the other set: which, by which rule, and what they have in common. */
function Hits({ hits }: { hits: readonly OverlapHit[] }): ReactNode {
  if (hits.length === 0) return null;
  return (
    <table className="hits">
      <caption className="sr">Rows that are in the other set</caption>
      <thead>
        <tr>
          <th scope="col">rows</th>
          <th scope="col">rule</th>
          <th scope="col" className="num">
            covered
          </th>
          <th scope="col">in the other set</th>
        </tr>
      </thead>
      <tbody>
        {hits.map(({ rows, rule, share, there }) => (
          <tr key={`${rows[0]} ${rule}`}>
            <td className="wrap">{rowsWords(rows)}</td>
            <td>{rule}</td>
            <td className="num">{share === null ? <span className="faint">–</span> : percent(share)}</td>
            <td className="wrap untrusted">
              {there === null ? <span className="none">not quoted</span> : <bdi>{there}</bdi>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
