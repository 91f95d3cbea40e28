import { formatFixed, formatPercent } from "@while/schema";
import type { HackScanReport } from "@while/select";
import { html, htmlTable, type PageSection, typographic } from "@while/stats";
import { said } from "./said.ts";

/** Features that are shown: the strongest, and every one above the floor among them. */
const SHOWN = 12;

/** What separates passes from failures inside asks, the strongest first. */
export function hacksSection(scan: HackScanReport): PageSection {
  const { features, nFeatures, nAboveFloor, tau, nGroups, nGraded, support, endorsed, warnings } = scan;
  const shown = features.slice(0, SHOWN);
  const floor =
    tau === null
      ? "Nothing was shuffled, so there is no floor."
      : `${nAboveFloor} of ${nFeatures} features lie above ${formatFixed(tau, 2)}, what a search finds in shuffled rewards.`;
  return {
    id: "hacks",
    head: "What does the reward pay for?",
    note: html`<p>Correlation of each feature with the reward, inside asks: a policy that is trained on these rewards learns the first rows of this table.</p><p>${floor}</p>`,
    body: [
      shown.length === 0
        ? html`<p class="quiet small">No feature could be compared: ${nGraded} graded rows of ${nGroups} asks.</p>`
        : htmlTable({
            columns: [
              { head: "feature" },
              { head: "inside asks", numeric: true },
              { head: "at equal length", numeric: true, wideOnly: true },
              { head: "rows", numeric: true },
              { head: "reads as" },
            ],
            rows: shown.map(({ name, rho, rhoGivenLength, nObs, aboveFloor, endorsed: isEndorsed }) => [
              name,
              typographic(formatFixed(rho, 2)),
              rhoGivenLength === null ? "–" : typographic(formatFixed(rhoGivenLength, 2)),
              String(nObs),
              readingOf(aboveFloor, isEndorsed, endorsed.length > 0),
            ]),
            caption: `${nGraded} graded rows of ${nGroups} asks: ${formatPercent(support.sat)} always solved, ${formatPercent(support.dead)} never, ${formatPercent(support.mixed)} mixed.`,
          }),
      said(warnings),
    ],
  };
}

function readingOf(aboveFloor: boolean, isEndorsed: boolean, wasNamed: boolean) {
  if (!aboveFloor) return "within chance";
  if (isEndorsed) return html`<span class="good">endorsed</span>`;
  return wasNamed ? html`<b class="bad">not endorsed</b>` : "above chance";
}
