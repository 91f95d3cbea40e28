import { formatFixed, formatInterval } from "@while/schema";
import type { PassAt } from "@while/stats";
import { type Html, html } from "@while/stats";
import { intervalStrip, STRIP_SCALE } from "../interval-strip.ts";
import { passCurveChart } from "../pass-curve-chart.ts";
import { notMeasured, section, sentences } from "./section.ts";

/** pass@1, pass^k and pass@k with their intervals, then the curve over k and its table. */
export function passSection(report: PassAt, mixed: string | null): Html {
  const { k, passAt1, ci95, nGroups, nRows, nGroupsAtK, warnings, curve } = report;
  const rows = [
    rate("pass@1", "one attempt passes", passAt1, ci95, `${nGroups} tasks, ${nRows} rows`),
    ...(k > 1
      ? [
          rate(`pass^${k}`, `${k} attempts all pass`, report.passPowK, report.passPowKCi95, `${nGroupsAtK} tasks`),
          rate(`pass@${k}`, `one of ${k} attempts passes`, report.passAtK, report.passAtKCi95, `${nGroupsAtK} tasks`),
        ]
      : []),
  ];
  return section({
    id: "pass",
    head: "Does it pass?",
    note: html`<p>Means over tasks with 95% intervals over tasks, from 0 to 1. Without an interval the dot is hollow.</p><p>pass^k falls with k: it is what a user sees who comes back. pass@k rises: it is what choosing among k could win.</p>`,
    body: [
      html`<table class="forest"><thead><tr><th scope="col">measure</th><th scope="col" class="wide">${STRIP_SCALE}</th><th scope="col" class="num">value</th><th scope="col" class="num">rests on</th></tr></thead><tbody>${rows}</tbody></table>`,
      sentences([...(mixed === null ? [] : [mixed]), ...warnings.map(({ text }) => text)], { warn: true }),
      curve.length > 1 ? passCurveChart(curve) : null,
      curve.length > 1 ? curveTable(report) : null,
    ],
  });
}

/** One measure as a row of a table: name, interval, value, what it rests on. */
export function rate(
  name: string,
  meaning: string,
  value: number | null,
  ci95: readonly [number, number] | null,
  restsOn: string,
): Html {
  const number =
    value === null
      ? notMeasured
      : html`<b>${formatFixed(value, 2)}</b><span class="sub">${ci95 === null ? "no interval" : formatInterval(ci95)}</span>`;
  return html`<tr><th scope="row">${name}<span class="sub">${meaning}</span></th><td class="wide">${intervalStrip({ name, value, ci95 })}</td><td class="num">${number}</td><td class="num">${restsOn}</td></tr>`;
}

function curveTable({ curve }: PassAt): Html {
  const rows = curve.map(
    ({ k, passPowK, passPowKCi95, passAtK, passAtKCi95, nGroups }) =>
      html`<tr><td class="num">${k}</td><td class="num">${formatFixed(passPowK, 3)}</td><td class="num">${formatInterval(passPowKCi95, 3, { absent: "" })}</td><td class="num">${formatFixed(passAtK, 3)}</td><td class="num">${formatInterval(passAtKCi95, 3, { absent: "" })}</td><td class="num">${nGroups}</td></tr>`,
  );
  return html`<details><summary>Table</summary><table class="numbers"><thead><tr><th scope="col" class="num">k</th><th scope="col" class="num">pass^k</th><th scope="col" class="num">95%</th><th scope="col" class="num">pass@k</th><th scope="col" class="num">95%</th><th scope="col" class="num">tasks</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}
