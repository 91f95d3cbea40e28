import type { RowsSummary } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { percent, whole } from "../../numbers.ts";
import { Part } from "../../parts/Part.tsx";
import { ViewLink } from "../../parts/ViewLink.tsx";
import styles from "./GoldPart.module.css";
import { goldTable } from "./gold-table.ts";
import { type Graded, OTHER_ROWS, okOf } from "./row-filters.ts";

/** Where the rows carry gold labels: how often the grade says the same, and the rows on which it does not. */
export function GoldPart({ all }: { all: RowsSummary }): ReactNode {
  const found = goldTable(all.byTag);
  if (found === null) return null;
  const { tag, words, table, labeled, agreement, ci95, kappa } = found;
  const apart = table.fp + table.fn;
  const cell = (n: number, graded: Graded, gold: string[], differ: boolean): ReactNode => (
    <td className={differ && n > 0 ? `num ${styles.apart}` : "num"}>
      {n === 0 ? (
        <span className="faint">0</span>
      ) : (
        <ViewLink search={(before) => ({ ...before, ...OTHER_ROWS, ok: okOf(graded), [`tag.${tag}`]: gold })}>
          {whole(n)}
          <span className="sr"> rows</span>
        </ViewLink>
      )}
    </td>
  );
  return (
    <Part
      id="gold"
      title="Judge against gold"
      full
      note={`${whole(labeled)} of ${whole(all.n)} rows carry a label in their tag ${tag}. A number leads to its rows.`}
    >
      <div className={styles.gold}>
        <table className={styles.table}>
          <caption className="sr">Grades against gold labels</caption>
          <thead>
            <tr>
              <td />
              <th scope="col" className="num">
                gold passes
              </th>
              <th scope="col" className="num">
                gold fails
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">graded passed</th>
              {cell(table.tp, "passed", words.passed, false)}
              {cell(table.fp, "passed", words.failed, true)}
            </tr>
            <tr>
              <th scope="row">graded failed</th>
              {cell(table.fn, "failed", words.passed, true)}
              {cell(table.tn, "failed", words.failed, false)}
            </tr>
          </tbody>
        </table>
        <p className="prose small">
          They agree on <b>{percent(agreement)}</b>, {percent(ci95[0])} to {percent(ci95[1])}, kappa{" "}
          {kappa === null ? (
            <span className="none">not defined: one answer throughout</span>
          ) : (
            kappa.toFixed(2).replace("-", "\u2212")
          )}
          .{" "}
          {apart === 0
            ? "No labeled row is graded otherwise."
            : `${whole(apart)} ${apart === 1 ? "row is" : "rows are"} graded otherwise: ${whole(table.fp)} passed that gold fails, ${whole(table.fn)} failed that gold passes.`}
        </p>
      </div>
    </Part>
  );
}
