import type { ReactNode } from "react";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";

/** What stands on Evals before a behavior is declared. */
export function NoBehavior({ agent }: { agent: string }): ReactNode {
  const call = {
    TypeScript: `await tracked.behavior("refunds_within_policy", {
  testVersion: "t-3f1c9a07", n: 240, gradedBy: "judge",
});`,
    Python: `tracked.behavior("refunds_within_policy", test_version="t-3f1c9a07", n=240, graded_by="judge")`,
    curl: `curl -X PUT "$WHILEAI_API_URL/agents/${encodeURIComponent(agent)}/behaviors/refunds_within_policy" \\
  -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\
  -d '{"testVersion": "t-3f1c9a07", "n": 240, "gradedBy": "judge"}'`,
  };
  return (
    <Part id="all-behaviors" title="All behaviors">
      <Empty title="No behavior is declared" code={call}>
        <p>
          Each behavior you measure stands here, with eight checks on the measure itself. Declare one with the test it
          is frozen on and who judges it.
        </p>
      </Empty>
    </Part>
  );
}
