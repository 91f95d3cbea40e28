import type { PriceBook } from "@while/platform-client/contract";
import { formatFrontierGap, frontierGap } from "@while/platform-client/rules";
import { memo, type ReactNode } from "react";
import { dollars, number } from "../../numbers.ts";
import { Part } from "../../parts/Part.tsx";
import { billsOf } from "./bills.ts";
import styles from "./CostPart.module.css";
import { CostScatter } from "./CostScatter.tsx";
import { type Priced, pricedOf } from "./priced.ts";
import { type Report, RUNS_READ } from "./report.ts";
import { scorePoints } from "./score-groups.ts";

/** What training cost, and what answering costs. */
export const CostPart = memo(function CostPart({
  report,
  book,
}: {
  report: Report;
  book: PriceBook | null;
}): ReactNode {
  const { behavior, dashboard, runs, scores } = report;
  if (behavior === null || dashboard.versions.length === 0) return null;
  const versions = scores?.find(({ name }) => name === behavior.name)?.versions ?? dashboard.versions;
  const points = scorePoints({ versions, runs, test: null, by: "version" });
  const priced = book === null ? [] : pricedOf(points, runs, book);
  const bills = billsOf(runs);
  return (
    <Part
      id="cost"
      title="Cost and score"
      note={
        <>
          <p>What 1,000 tasks cost to answer, from the facts of each run and the price book.</p>
          {runs.length >= RUNS_READ && <p>Of the newest {RUNS_READ} runs.</p>}
          {book !== null && (
            <p>
              <a href="/pricing-book.json">price book {book.version}</a>
            </p>
          )}
        </>
      }
    >
      <div className={styles.cost}>
        <CostScatter report={report} priced={priced} book={book} />
        <div className="small">
          <Said report={report} priced={priced} />
          {bills.length === 0 && <p className="none">No bill is posted, and nothing was trained.</p>}
          <table className={styles.bills} hidden={bills.length === 0}>
            <caption>Training bill, newest first</caption>
            <tbody>
              {bills.map(({ version, runs: count, total, unposted }) => (
                <tr key={version}>
                  <th scope="row">
                    <bdi>{version}</bdi>
                    {count > 1 && `, ${count} runs`}
                  </th>
                  <td className="num">
                    {total === null ? <span className="none">not posted</span> : dollars(total)}
                    {total !== null && unposted > 0 && <span className="sub">{unposted} not posted</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Part>
  );
});

function Said({ report, priced }: { report: Report; priced: readonly Priced[] }): ReactNode {
  const costOf = (version: string | null) =>
    priced.find(({ point }) => point.version === version)?.price.usdPer1k ?? null;
  const [ours, theirs] = [costOf(report.candidate), costOf(report.serving)];
  const { frontier } = report.agent;
  const score = report.dashboard.versions.find(({ v }) => v === report.candidate);
  return (
    <>
      {ours !== null && (
        <p>
          <bdi>{report.candidate}</bdi> answers 1,000 tasks for {dollars(ours)}
          {theirs !== null && theirs > 0 && report.candidate !== report.serving && (
            <>
              :{" "}
              {ours === theirs
                ? "as much as"
                : `${number(Math.round(Math.abs(100 * (ours / theirs - 1))))}% ${ours > theirs ? "more" : "less"} than`}{" "}
              <bdi>{report.serving}</bdi>
            </>
          )}
          .
        </p>
      )}
      {frontier && score !== undefined && (
        <p>
          <bdi>{formatFrontierGap(frontierGap(frontier, score, { usdPer1k: ours }))}</bdi>.
        </p>
      )}
    </>
  );
}
