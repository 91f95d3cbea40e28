import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { judgeTrust } from "./judge-trust.ts";
import { judgeTrustHtml } from "./judge-trust-html.ts";

const rows: Row[] = Array.from({ length: 80 }, (_, i) => ({
  ...{ task_id: `t${i % 40}`, prompt: "p", final_text: i === 0 ? "<script>alert(1)</script>" : `reply ${i}` },
  ...{ reward: i % 2, gold_reward: i % 8 === 0 ? 1 - (i % 2) : i % 2, gold_kind: "human" },
}));

test("the page says the verdict, every finding and every floor, and runs nothing", async () => {
  const report = await judgeTrust(rows);
  const page = judgeTrustHtml(report, { about: "graded.jsonl" });
  expect(page).toContain('<h1 class="word bad">FAIL</h1>');
  for (const { code } of report.findings) expect(page).toContain(`<code>${code}</code>`);
  for (const id of ["findings", "labels", "bias", "queue", "basis"])
    expect(page).toContain(`<section class="part" id="${id}"`);
  expect(page).toContain("graded.jsonl");
  expect(page).not.toMatch(/<script|NaN|undefined/);
  expect(judgeTrustHtml(await judgeTrust([...rows]), { about: "graded.jsonl" })).toBe(page);
});

test.each<[string, Row[], RegExp]>([
  ["nothing", [], /class="word plain long">NOT MEASURED/],
  ["gold of one class", rows.map((row) => ({ ...row, gold_reward: 1 })), /class="word plain long">INCONCLUSIVE/],
  ["a judge that holds", rows.map((row) => ({ ...row, gold_reward: row.reward! })), /class="word good">PASS/],
])("%s", async (_, own, word) => {
  const page = judgeTrustHtml(await judgeTrust(own));
  expect(page).toMatch(word);
  expect(page).not.toMatch(/NaN|undefined|null/);
});

test("the confusion is drawn as squares, and what more labels would bring as curves up to the plan", async () => {
  const own = rows.map((row, i) => ({ ...row, gold_reward: i % 10 === 0 ? 1 - (i % 2) : i % 2 }));
  const report = await judgeTrust(own);
  const page = judgeTrustHtml(report);
  const { tp, fp, fn, tn } = report.agreement.confusion;
  for (const n of [tp, fp, fn, tn]) expect(page).toContain(`<b>${n}</b><span class="sub">`);
  expect(page).toContain("What more labels would bring");
  expect(page).toContain(`agreement, all labels, ${report.labelPlan.agreement!.n}`);
  const worse = own.map((row) => ({ ...row, gold_reward: 1 - row.gold_reward }));
  expect(judgeTrustHtml(await judgeTrust(worse))).toContain("it is the judge that has to change");
});

test("with a judge that was called, its probes are drawn", async () => {
  const report = await judgeTrust(rows, () => 1, { probes: "all" });
  const page = judgeTrustHtml(report);
  expect(page).toContain("exploitable");
  expect(page).not.toMatch(/NaN|undefined/);
});
