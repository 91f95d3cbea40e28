import { expect, test } from "vitest";
import { trainingForAgent } from "./training-for-agent.ts";
import type { TrainingState } from "./training-lead.ts";

const state: TrainingState = {
  status: "stopped",
  total: 300,
  pace: { step: 140, medianStepS: null, elapsedS: null, leftS: null, lastAt: null },
  alarms: [
    { step: 140, kind: "divergence", since: 80, reason: "The proxy gained 0.110, and gold 0.004." },
    { step: 120, kind: "length", since: null, reason: null },
  ],
  monitor: null,
  held: null,
};

test("how it stands, the error, and the alarms with their evidence, all quoted", () => {
  const run = { id: "run_9b20", name: "refunds `r3`", version: "v4", error: "CUDA out of memory" };
  expect(trainingForAgent(run, state)).toBe(`# Training run \`\` refunds \`r3\` \`\` (run_9b20)

It was stopped at step 140 of 300.

error (quoted):

\`\`\`text
CUDA out of memory
\`\`\`

## Alarms

- step 140: \`divergence\`, against step 80

evidence (quoted):

\`\`\`text
The proxy gained 0.110, and gold 0.004.
\`\`\`

- step 120: \`length\`
`);
});
