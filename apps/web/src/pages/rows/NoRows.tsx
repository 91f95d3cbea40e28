import type { StoredScore } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { whole } from "../../numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { SampleRow } from "../../parts/SampleRow.tsx";
import { failuresFirst } from "../evals/samples.ts";

export const ROWS_CALL = {
  TypeScript: `await run.score("refunds_within_policy", 83, { ci: 3, n: 240, rows: graded });
// or, for a score that is posted already
await run.rows("refunds_within_policy", graded); // up to 20,000 rows`,
  Python: `run.rows("refunds_within_policy", graded)  # up to 20,000 rows`,
  curl: `curl -X POST "$WHILEAI_API_URL/runs/$RUN/evals/refunds_within_policy/rows" \\
  -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\
  -d '{"offset": 0, "rows": [{"ok": false, "prompt": "...", "reply": "...", "why": "..."}]}'`,
};

/** A score that came without its rows: the sample of it, and how to post them all. */
export function NoRows({ score }: { score: StoredScore | null }): ReactNode {
  const sample = failuresFirst(score?.examples ?? []);
  const failures = sample.filter(({ ok }) => !ok).length;
  const passes = sample.length - failures;
  const title =
    sample.length === 0
      ? "Neither rows nor a sample were posted"
      : `The sample of ${whole(sample.length)} is all there is: ${whole(failures)} ${failures === 1 ? "failure" : "failures"}, ${whole(passes)} ${passes === 1 ? "pass" : "passes"}`;
  return (
    <Part id="sample" title="Rows" note="A score without its rows.">
      <Empty title={title} code={ROWS_CALL}>
        <p>
          The score came without its graded rows, so nothing can be broken down by tag and no row can be compared with
          another version.
        </p>
      </Empty>
      {sample.length > 0 && (
        <ul className="samples">
          {sample.map((example, index) => (
            <SampleRow key={index} example={example} />
          ))}
        </ul>
      )}
    </Part>
  );
}
