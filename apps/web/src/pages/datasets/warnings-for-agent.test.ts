import type { Dataset } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { readGate } from "./gate-reading.ts";
import { warningsForAgent } from "./warnings-for-agent.ts";

const SET = { datasetId: "ds_1", name: "refunds `r3`" } as Dataset;

test("warnings come with their calls", () => {
  const report = { ok: true, warnings: ["6 duplicate rows present over 5 asks: optimize drops them."] };
  expect(warningsForAgent(SET, readGate(report, SET))).toBe(`# Dataset \`\` refunds \`r3\` \`\` (ds_1)

The publish gate accepts it, with 1 warning.

## What to do

1. \`6 duplicate rows present over 5 asks: optimize drops them.\`

\`\`\`sh
wai pull ds_1 | wai optimize - --mode rl -o kept.jsonl
\`\`\`

2. \`No row says how far its judge is to be trusted.\`

\`\`\`sh
wai pull ds_1 | wai judge-trust - --labels labels.jsonl
\`\`\`
`);
});

test("a refusal is quoted", () => {
  const text = warningsForAgent(SET, readGate({ ok: false, refusal: "no_mixed_groups: nothing to learn" }, SET));
  expect(text).toContain("The publish gate refuses it.\n\nreason (quoted):\n\n```text\nno_mixed_groups");
});
