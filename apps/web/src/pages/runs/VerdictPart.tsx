import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { Part } from "../../parts/Part.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { useChoices } from "../../use-search.ts";
import { verdictWord } from "../../verdict-word.ts";
import { checkId } from "../evals/check-id.ts";
import { type PairedReading, usePaired } from "./paired.ts";
import type { Report } from "./report.ts";
import { VerdictChart } from "./VerdictChart.tsx";
import styles from "./VerdictPart.module.css";
import { checkOfGap, looksText, reasonOf, replicatedText } from "./verdict-words.ts";

/** The line before Promote, drawn and said, with what it rests on and what it lacks. */
export const VerdictPart = memo(function VerdictPart({ report }: { report: Report }): ReactNode {
  const { verdict, agent, behavior } = report;
  const paired = usePaired(report);
  const { word, tone } = verdictWord(verdict);
  return (
    <Part
      id="verdict"
      title="Verdict"
      note={
        <>
          <p>The bar is a 95% interval, the dot the estimate. Grey is what re-running one version moves by itself.</p>
          <p>The claim holds when the bar misses zero and the dot is outside the grey.</p>
          <CandidatePick report={report} />
        </>
      }
    >
      <p className={styles.says}>
        <b className={tone === "plain" ? undefined : tone}>{word}.</b> {reasonOf(verdict)} <Lower report={report} />
      </p>
      {verdict.gaps.length > 0 && (
        <div className="small">
          <p className="quiet">
            {verdict.gaps.length === 1 ? "What it lacks" : `What it lacks: ${verdict.gaps.length}`}
          </p>
          <ul className={styles.gaps}>
            {verdict.gaps.map((gap) => (
              <li key={gap}>
                <Link
                  to="/platform/evals"
                  search={{ agent: agent.id, behavior: behavior?.name } as never}
                  hash={checkId(behavior?.name ?? "", checkOfGap(gap))}
                >
                  {gap}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {verdict.delta !== null && verdict.kind !== "same_version" && <VerdictChart verdict={verdict} paired={paired} />}
      {verdict.candidate !== null && <Behind report={report} paired={paired} />}
      <div className={styles.line}>
        <p className="note">
          <span className="quiet">As the terminal says it:</span> <bdi>{verdict.text}</bdi>
        </p>
        <CopyButton text={verdict.text} what="the verdict" />
      </div>
    </Part>
  );
});

/** Versions in the choice; an older one is reached by its name in the address. */
const CANDIDATES = 100;

function CandidatePick({ report: { verdict, dashboard, serving } }: { report: Report }): ReactNode {
  const [, choose] = useChoices();
  const others = dashboard.versions.filter(({ v }) => v !== serving).map(({ v }) => v);
  if (others.length < 2 || verdict.candidate === null) return null;
  const newest = others.slice(-CANDIDATES).reverse();
  const listed = newest.includes(verdict.candidate) ? newest : [...newest, verdict.candidate];
  return (
    <p>
      Candidate:{" "}
      <Pick
        label="candidate"
        value={verdict.candidate}
        options={listed}
        onPick={(version) => choose({ version: version === others.at(-1) ? undefined : version })}
      />
    </p>
  );
}

/** What came out lower beside it, as a link to where it is drawn. */
function Lower({ report: { verdict } }: { report: Report }): ReactNode {
  const { regressions, regressionsClear, compared } = verdict;
  if (compared === 0) return null;
  if (regressions === 0) return "No other behavior came out lower.";
  const beyond =
    regressionsClear.length === 0
      ? "none beyond chance"
      : `${regressionsClear.length} of them by more than chance explains`;
  return (
    <>
      {regressions} of {compared} other behaviors came out lower, <a href="#moved">{beyond}</a>.
    </>
  );
}

function Behind({ report, paired }: { report: Report; paired: PairedReading | null }): ReactNode {
  const { verdict, behavior } = report;
  const floor = verdict.noiseFloor;
  return (
    <div className="cols-3 small">
      <p>
        <span className="quiet">Rests on</span>
        <br />
        {verdict.rests.length === 0 ? "nothing that was posted" : verdict.rests.join(", ")}
        {floor === null ? ", no re-run band" : `, a re-run band of ±${floor}`}
        {paired === null ? "." : `, ${paired.tasks} tasks that both answered.`}
      </p>
      <p>
        <span className="quiet">Replicated</span>
        <br />
        {replicatedText(verdict)}
      </p>
      <p>
        <span className="quiet">Looks so far</span>
        <br />
        {looksText(verdict, behavior?.name ?? "this test")}
      </p>
    </div>
  );
}
