import type { ReactNode } from "react";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";

const PUSH = {
  terminal: `wai push rollouts.jsonl --agent refund-bot --mode rl --holdout 0.2`,
  TypeScript: `import { openClient } from "@while/platform-client/files";
import { publishGate } from "@while/select";

await openClient().push({ rows }, "refunds-grpo", { gate: publishGate, holdout: 0.2 });`,
  curl: `curl -s "$WHILEAI_API_URL/datasets" -H "X-Api-Key: $WHILEAI_API_KEY" \\
  -H "Content-Type: application/json" -d '{"name": "refunds-grpo", "mode": "rl"}'   # answers datasetId and uploadUrl
curl -T rollouts.jsonl -H "Content-Type: application/jsonl" "$UPLOAD_URL"
curl -X POST "$WHILEAI_API_URL/datasets/$DATASET/finalize" -H "X-Api-Key: $WHILEAI_API_KEY"`,
};

/** What stands here before anything was pushed. */
export function NoDataset(): ReactNode {
  return (
    <Part id="none" title="No set yet" note="Nothing was pushed.">
      <Empty title="Sets by purpose, as a family tree, each with its profile and gate report" code={PUSH}>
        <p>
          Nothing is pushed under this account. A push runs the gate first; a refusal says what to fix and uploads
          nothing.
        </p>
      </Empty>
    </Part>
  );
}
