import type { StoredScore } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { CutText } from "../../parts/CutText.tsx";
import styles from "./SampleRows.module.css";

/** The sample that was posted with a score, failures first, folded. */
export function SampleRows({ score }: { score: StoredScore }): ReactNode {
  const examples = (score.examples ?? []).toSorted((a, b) => Number(a.ok) - Number(b.ok));
  if (examples.length === 0) return null;
  return (
    <details>
      <summary>
        Sample of {score.behavior}: {examples.length}
      </summary>
      <ul className={`${styles.samples} small`}>
        {examples.map(({ ok, prompt, reply, why }, place) => (
          <li key={place}>
            <p>
              <CheckMark state={ok ? "ok" : "failing"} hidden /> {ok ? "passed" : "failed"}
            </p>
            {prompt && (
              <p>
                <span className="quiet">Prompt:</span> <CutText text={prompt} />
              </p>
            )}
            {reply && (
              <p>
                <span className="quiet">Reply:</span> <CutText text={reply} />
              </p>
            )}
            {why && (
              <p>
                <span className="quiet">Why:</span> <CutText text={why} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
