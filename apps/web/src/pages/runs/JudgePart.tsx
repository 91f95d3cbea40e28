import { Link } from "@tanstack/react-router";
import { type Behavior, getEvals } from "@while/platform-client/contract";
import { MAX_LENGTH_BIAS, MIN_AGREEMENT } from "@while/platform-client/rules";
import { wilsonInterval } from "@while/stats";
import { memo, type ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Strip } from "../../marks/Strip.tsx";
import { number, points, whole } from "../../numbers.ts";
import { CheckMark, stateOf } from "../../parts/CheckMark.tsx";
import { Part } from "../../parts/Part.tsx";
import { checkId } from "../evals/check-id.ts";
import styles from "./JudgePart.module.css";
import type { Report } from "./report.ts";

/** May the number be believed: what is known of the judge, the band and the tasks, and the eight checks in short. */
export const JudgePart = memo(function JudgePart({ report }: { report: Report }): ReactNode {
  const { behavior, agent } = report;
  const evals = useAnswer(getEvals, { params: { id: agent.id } });
  if (behavior === null) return null;
  const health = evals.data?.evals.find(({ name }) => name === behavior.name);
  return (
    <Part
      id="judge"
      title="Judge checks"
      note={
        <>
          <p>
            May the number be believed?{" "}
            {health !== undefined &&
              (health.good === health.total
                ? `For ${behavior.name} all ${health.total} checks that can be measured pass.`
                : `For ${behavior.name} ${health.good} of ${health.total} checks pass.`)}
          </p>
          <p>
            <Link to="/platform/evals" search={{ agent: agent.id } as never}>
              All behaviors
            </Link>
          </p>
        </>
      }
    >
      <Tiles behavior={behavior} report={report} />
      {health !== undefined && (
        <ul className={`${styles.checks} small`}>
          {health.checks.map(({ key, label, ok, value }) => (
            <li key={key}>
              <CheckMark state={stateOf(ok)} />{" "}
              <Link
                to="/platform/evals"
                search={{ agent: agent.id, behavior: behavior.name } as never}
                hash={checkId(behavior.name, key)}
              >
                {label}
              </Link>{" "}
              <span className="quiet">{value}</span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
});

function Tiles({ behavior, report }: { behavior: Behavior; report: Report }): ReactNode {
  const { judge, gradedBy, noiseFloor, noiseFloorAt, rewardIsJudge, contamination, n } = behavior;
  return (
    <dl className={styles.tests}>
      {gradedBy === "program" ? (
        <div>
          <dt>Grader</dt>
          <dd className={styles.value}>a program</dd>
          <dd className={styles.says}>Graded by a program: there is no judge to check against people.</dd>
        </div>
      ) : (
        <>
          <Agreement
            agreement={judge?.agreement ?? null}
            humanN={judge?.humanN ?? null}
            verified={judge?.verified === true}
          />
          <Length bias={judge?.lengthBias ?? null} />
        </>
      )}
      <div>
        <dt>Noise floor</dt>
        <dd className={styles.value}>
          {noiseFloor == null ? <span className="none">not measured</span> : `±${number(noiseFloor)}`}
        </dd>
        <dd className={styles.says}>
          {noiseFloor == null ? "Re-run one version to know what moves by itself." : rerunsOf(report)}
          {noiseFloor != null && noiseFloorAt != null && ` Measured at ${points(noiseFloorAt)}.`}
        </dd>
      </div>
      <div>
        <dt>Reward and judge</dt>
        <dd className={styles.value}>
          {rewardIsJudge == null ? (
            <span className="none">not declared</span>
          ) : rewardIsJudge ? (
            <span className="bad">the same</span>
          ) : (
            "different"
          )}
        </dd>
        <dd className={styles.says}>
          {rewardIsJudge === true
            ? "The trainer was paid by this judge: a gain may be what the judge likes."
            : rewardIsJudge === false
              ? "What paid the trainer is not what grades the test."
              : "Say whether training was paid by this judge."}
        </dd>
      </div>
      <div>
        <dt>Contamination</dt>
        <dd className={styles.value}>
          {contamination == null ? (
            <span className="none">not checked</span>
          ) : (
            <span className={contamination > 0 ? "bad" : undefined}>
              {whole(contamination)}
              {n == null ? "" : ` of ${whole(n)}`}
            </span>
          )}
        </dd>
        <dd className={styles.says}>
          {contamination == null
            ? "Nobody looked for test items in training data."
            : "test items found in training data"}
        </dd>
      </div>
    </dl>
  );
}

/** How the band was measured, where the record of a run says it. */
function rerunsOf({ runs }: Report): string {
  const measured = runs.find(({ record }) => record?.eval?.runStdRuns)?.record?.eval;
  return measured === undefined
    ? "What re-running one version moves."
    : `What re-running one version moves, from ${measured?.runStdRuns} runs.`;
}

function Agreement({
  agreement,
  humanN,
  verified,
}: {
  agreement: number | null;
  humanN: number | null;
  verified: boolean;
}): ReactNode {
  const interval = agreement === null || !humanN ? null : wilsonInterval(Math.round(agreement * humanN), humanN);
  return (
    <div>
      <dt>Judge agreement</dt>
      <dd className={styles.value}>
        {agreement === null ? <span className="none">unmeasured</span> : agreement.toFixed(2)}
      </dd>
      {agreement !== null && (
        <dd>
          <LimitStrip
            label={`${agreement.toFixed(2)}${interval === null ? "" : `, interval ${interval[0].toFixed(2)} to ${interval[1].toFixed(2)}`}, floor ${MIN_AGREEMENT}`}
            domain={[Math.min(0.7, agreement - 0.05, (interval?.[0] ?? 1) - 0.03), 1]}
            value={agreement}
            ends={interval}
            limit={MIN_AGREEMENT}
            word={`floor ${MIN_AGREEMENT.toFixed(2)}`}
          />
        </dd>
      )}
      <dd className={styles.says}>
        {agreement === null
          ? "Nobody compared this judge with people."
          : `on ${humanN === null ? "an unknown number of" : whole(humanN)} human labels${verified ? "" : ", typed and not measured"}`}
      </dd>
    </div>
  );
}

function Length({ bias }: { bias: number | null }): ReactNode {
  return (
    <div>
      <dt>Length bias</dt>
      <dd className={styles.value}>
        {bias === null ? <span className="none">not measured</span> : `r = ${number(Number(bias.toFixed(2)))}`}
      </dd>
      {bias !== null && (
        <dd>
          <LimitStrip
            label={`${bias.toFixed(2)}, limit ${MAX_LENGTH_BIAS}`}
            domain={[-Math.max(0.4, Math.abs(bias) + 0.1), Math.max(0.4, Math.abs(bias) + 0.1)]}
            value={bias}
            ends={null}
            limit={bias < 0 ? -MAX_LENGTH_BIAS : MAX_LENGTH_BIAS}
            word={`limit ${MAX_LENGTH_BIAS.toFixed(2)}`}
          />
        </dd>
      )}
      <dd className={styles.says}>score against reply length{bias === null ? "" : ", no interval posted"}</dd>
    </div>
  );
}

interface LimitStripProps {
  label: string;
  domain: [number, number];
  value: number;
  ends: readonly [number, number] | null;
  limit: number;
  word: string;
}

function LimitStrip({ label, domain, value, ends, limit, word }: LimitStripProps): ReactNode {
  const at = (100 * (limit - domain[0])) / (domain[1] - domain[0]);
  return (
    <div className={styles.limit}>
      <Strip
        label={label}
        domain={domain}
        zero={null}
        threshold={limit}
        readings={[{ value, low: ends?.[0] ?? null, high: ends?.[1] ?? null, role: "ink" }]}
      />
      <span className="note" style={{ marginInlineStart: `${Math.max(0, Math.min(56, at - 12))}%` }} aria-hidden="true">
        {word}
      </span>
    </div>
  );
}
