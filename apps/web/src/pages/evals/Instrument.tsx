import { Link } from "@tanstack/react-router";
import { type Behavior, getRun, listDatasets, type VersionScore } from "@while/platform-client/contract";
import { formatPoints } from "@while/platform-client/rules";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { number, whole } from "../../numbers.ts";

export interface InstrumentProps {
  agent: string;
  behavior: Behavior | undefined;
  /** The version whose run says how it was measured. */
  newest: VersionScore | null;
}

/** Who judges, on which test, by which metric. */
export function Instrument({ agent, behavior, newest }: InstrumentProps): ReactNode {
  const id = newest?.run ?? "";
  const run = useAnswer(getRun, { params: { id }, query: { max_points: 2 }, when: id !== "" }).data;
  const setup = run?.record?.eval;
  const holdout = run?.record?.data?.holdout;
  const { testVersion, n = newest?.n, contamination, noiseFloor } = behavior ?? {};
  return (
    <dl className="defs">
      <dt>judge</dt>
      <dd>
        <JudgeWords behavior={behavior} />
      </dd>
      <dt>test set</dt>
      <dd>
        {testVersion ? <SetNamed name={testVersion} agent={agent} /> : <span className="none">unnamed</span>}
        {n != null && `, ${whole(n)} tasks`}
        {holdout && (
          <>
            , from <SetNamed name={holdout} agent={agent} />
          </>
        )}
        {", "}
        <Leaks found={contamination} />
      </dd>
      <dt>metric</dt>
      <dd>
        {setup?.metric ? <bdi>{setup.metric}</bdi> : <span className="none">not posted</span>}
        {setup?.k != null && `, k = ${setup.k}`}
        {setup?.reader && (
          <>
            , read by <bdi>{setup.reader}</bdi>
          </>
        )}
      </dd>
      <dt>re-run band</dt>
      <dd>
        {noiseFloor == null ? <span className="none">not measured</span> : `± ${formatPoints(noiseFloor)} points`}
      </dd>
    </dl>
  );
}

/** Sets that are looked through for one of that name. */
const LOOKED_AT = 20;

/** A name that was posted, and the way to the set that is called so where there is one. */
function SetNamed({ name, agent }: { name: string; agent: string }): ReactNode {
  const sets = useAnswer(listDatasets, { query: { q: name, limit: LOOKED_AT } }).data?.datasets ?? [];
  const called = sets.filter((set) => set.name === name || set.datasetId === name);
  // Of several that are called so the agent's own is meant, and of those the newest, which comes first.
  const set = called.find((one) => one.agent?.toLowerCase() === agent.toLowerCase()) ?? called[0];
  if (set === undefined) return <bdi>{name}</bdi>;
  return (
    <Link to="/platform/datasets/$dataset" params={{ dataset: set.datasetId } as never}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Items of the test that training has seen. */
function Leaks({ found }: { found: number | null | undefined }): ReactNode {
  if (found == null) return <span className="none">not checked for leaks</span>;
  return found === 0 ? (
    "none of it in training data"
  ) : (
    <span className="bad">{whole(found)} of its items in training data</span>
  );
}

function JudgeWords({ behavior }: { behavior: Behavior | undefined }): ReactNode {
  if (behavior?.gradedBy === "program") return "graded by a program";
  const { name, agreement, humanN, lengthBias, verified } = behavior?.judge ?? {};
  if (!name && agreement == null) return <span className="none">not measured</span>;
  return (
    <>
      {name && <bdi>{name}</bdi>}
      {name && ", "}
      {agreement == null ? (
        <span className="none">agreement not measured</span>
      ) : (
        `${agreement.toFixed(2)} on ${humanN == null ? "an unknown number of" : whole(humanN)} human labels, ${verified ? "verified" : "declared and not verified"}`
      )}
      {lengthBias != null && `, length bias r = ${number(lengthBias)}`}
    </>
  );
}
