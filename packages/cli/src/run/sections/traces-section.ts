import { formatInterval, formatPercent, formatSigned } from "@while/schema";
import { html, htmlTable, type PageSection, typographic } from "@while/stats";
import type { TraceFlagReport } from "@while/trust";
import { said } from "./said.ts";

/** What agents did to look better than they were, and whether the reward pays for it. */
export function tracesSection({ flags, n, nGraded, warnings }: TraceFlagReport): PageSection {
  const fired = [...flags].filter(([, flag]) => flag.n > 0).toSorted(([, a], [, b]) => b.n - a.n);
  const table = htmlTable({
    columns: [
      { head: "flag" },
      { head: "rows", numeric: true },
      { head: "share", numeric: true },
      { head: "95%", numeric: true, wideOnly: true },
      { head: "with the reward", numeric: true },
      { head: "does the reward pay for it?" },
    ],
    rows: fired.map(([name, { n: rows, rate, ci95, rewardCorr, flagged, lowPower }]) => [
      name,
      String(rows),
      formatPercent(rate!),
      formatInterval(ci95, 2, { absent: "" }),
      rewardCorr === null ? "–" : typographic(formatSigned(rewardCorr, 2)),
      flagged ? html`<b class="bad">yes</b>` : lowPower ? "too few rows to say" : "not seen",
    ]),
  });
  const places = fired.flatMap(([name, { examples }]) => examples.map(({ evidence }) => [name, evidence]));
  return {
    id: "traces",
    head: "Did the agent fake it?",
    note: html`<p>Flags read from calls and replies of ${n} rows, ${nGraded} of them graded. A flag is a place to look at, not a verdict.</p>`,
    body: [
      fired.length === 0 ? html`<p class="quiet small">None of ${flags.size} flags fired.</p>` : table,
      said(warnings.map(({ text }) => text)),
      places.length === 0
        ? null
        : html`<details><summary>What raised them</summary>${htmlTable({
            columns: [{ head: "flag" }, { head: "fragment" }],
            rows: places,
          })}</details>`,
    ],
  };
}
