import { formatFixed, formatInterval } from "@while/schema";
import { forestPlot, type Html, html, htmlTable, type PageSection, type PassAt } from "@while/stats";
import { levelRow } from "./level-row.ts";
import { said } from "./said.ts";

/** From here on the plot shows powers of two; the table has every k. */
const SHOWN_K = 5;

/** pass@1, pass^k and pass@k with their intervals, as far as groups reach, and the table over every k. */
export function passSection(report: PassAt, mixed: string | null): PageSection {
  const { passAt1, ci95, nGroups, nRows, curve, debiasedPassAt1, debiasedCi95, nGold, warnings } = report;
  const points = curve.filter(
    ({ k }) => k > 1 && (k < SHOWN_K || Number.isInteger(Math.log2(k)) || k === curve.length),
  );
  return {
    id: "pass",
    head: "Does it pass?",
    note: html`<p>Means over tasks, with 95% intervals over tasks. Without an interval the dot is hollow.</p><p>pass^k falls with k: it is what a user sees who comes back. pass@k rises: it is what choosing among k could win.</p>`,
    body: [
      forestPlot({
        kind: "level",
        nameHead: "measure",
        valueHead: "share",
        readingHead: "rests on",
        caption: "Shares of attempts that pass, with their intervals",
        rows: [
          levelRow("pass@1", "one attempt passes", passAt1, ci95, {
            strong: true,
            reading: `${nGroups} tasks, ${nRows} rows`,
          }),
          ...(debiasedPassAt1 === null
            ? []
            : [levelRow("pass@1 by gold", `corrected by ${nGold} labels`, debiasedPassAt1, debiasedCi95)]),
          ...points.map(({ k, passPowK, passPowKCi95, nGroups: n }) =>
            levelRow(`pass^${k}`, `${k} attempts all pass`, passPowK, passPowKCi95, { reading: `${n} tasks` }),
          ),
          ...points.map(({ k, passAtK, passAtKCi95, nGroups: n }) =>
            levelRow(`pass@${k}`, `one of ${k} passes`, passAtK, passAtKCi95, { reading: `${n} tasks` }),
          ),
        ],
      }),
      said([...(mixed === null ? [] : [mixed]), ...warnings.map(({ text }) => text)]),
      curve.length > 1 ? curveTable(report) : null,
    ],
  };
}

function curveTable({ curve }: PassAt): Html {
  const table = htmlTable({
    columns: [
      { head: "k" },
      { head: "pass^k", numeric: true },
      { head: "95%", numeric: true, wideOnly: true },
      { head: "pass@k", numeric: true },
      { head: "95%", numeric: true, wideOnly: true },
      { head: "tasks", numeric: true },
    ],
    rows: curve.map(({ k, passPowK, passPowKCi95, passAtK, passAtKCi95, nGroups }) => [
      String(k),
      formatFixed(passPowK, 3),
      formatInterval(passPowKCi95, 3, { absent: "" }),
      formatFixed(passAtK, 3),
      formatInterval(passAtKCi95, 3, { absent: "" }),
      String(nGroups),
    ]),
  });
  return html`<details><summary>Every k</summary>${table}</details>`;
}
