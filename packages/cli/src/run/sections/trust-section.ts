import { type FindingMark, forestPlot, html, htmlFindings, type PageSection } from "@while/stats";
import type { JudgeTrust } from "@while/trust";
import { inFlags } from "../../in-flags.ts";
import { levelRow } from "./level-row.ts";

const MARKS: Readonly<Record<JudgeTrust["findings"][number]["severity"], FindingMark>> = {
  fail: "fails",
  open: "open",
  warn: "warning",
  note: "open",
};

/** How often the rewards say what labels say, and what was found against them. */
export function trustSection({ agreement, findings, nRows, floors }: JudgeTrust): PageSection {
  const { n, agreement: share, ci95, kappa, kappaCi95, tpr, tprCi95, tnr, tnrCi95 } = agreement;
  return {
    id: "trust",
    head: "May the rewards be believed?",
    note: "Against the labels that the rows carry. A judge that is wrong in one direction moves every number on this page.",
    body: [
      n === 0
        ? findings.length === 0 &&
          html`<p class="quiet small">Not measured: none of ${nRows} rows has a label and a verdict.</p>`
        : forestPlot({
            kind: "level",
            nameHead: "share",
            valueHead: "estimate",
            readingHead: "rests on",
            caption: "Agreement with labels and both error rates, with their intervals",
            rows: [
              {
                ...levelRow("agreement", `floor ${floors.minAgreement}`, share, ci95, {
                  strong: true,
                  reading: `${n} labels`,
                }),
                threshold: floors.minAgreement,
              },
              levelRow("kappa", `floor ${floors.minKappa}`, kappa, kappaCi95),
              levelRow("right on passes", "", tpr, tprCi95),
              levelRow("right on fails", "", tnr, tnrCi95),
            ],
          }),
      findings.length === 0
        ? null
        : htmlFindings(
            findings.map(({ code, severity, message }) => ({ mark: MARKS[severity], text: inFlags(message), code })),
          ),
    ],
  };
}
