import { type Experiment, fillPath, getExperiment, putExperiment } from "@while/platform-client/contract";
import { memo, type ReactNode } from "react";
import { Refusal } from "../../api/refusal.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { date } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Code } from "../../parts/Code.tsx";
import { Part } from "../../parts/Part.tsx";
import { UntrustedMarkdown } from "../../parts/UntrustedMarkdown.tsx";
import styles from "./ExperimentPart.module.css";

const ROWS = [
  ["question", "Question"],
  ["hypothesis", "Hypothesis"],
  ["method", "Method"],
  ["measure", "Measure"],
  ["decide", "Decide"],
  ["notes", "Notes"],
] as const satisfies readonly (readonly [keyof Experiment, string])[];

/** What the runs are to test, as the team wrote it before. */
export const ExperimentPart = memo(function ExperimentPart({ agent }: { agent: string }): ReactNode {
  const experiment = useAnswer(getExperiment, { params: { id: agent } });
  const none = experiment.error instanceof Refusal && experiment.error.status === 404;
  const at = none ? null : experiment.data?.updatedAt;
  return (
    <Part id="experiment" title="Experiment" note={`Written by the team${at ? `, last on ${date(at)}` : ""}.`}>
      {none ? (
        <div className="empty small">
          <p>No experiment is posted. Written before the run, it says what will count as a result.</p>
          <Code
            code={{
              TypeScript: 'await tracked.experiment({ question: "…", decide: "…" })',
              Python: 'tracked.experiment(question="…", decide="…")',
              curl: `curl -X PUT "$WHILEAI_API_URL${fillPath(putExperiment.path, { id: agent })}" -H "X-Api-Key: $WHILEAI_API_KEY" \\\n  -H "Content-Type: application/json" -d '{"question": "…", "decide": "…"}'`,
            }}
          />
        </div>
      ) : (
        <Answered of={experiment} what="the experiment">
          {(answer) => (
            <dl className={styles.experiment}>
              {ROWS.map(([key, name]) => {
                const text = answer[key];
                return text?.trim() ? (
                  <div key={key}>
                    <dt>{name}</dt>
                    <dd>
                      <UntrustedMarkdown text={text} />
                    </dd>
                  </div>
                ) : null;
              })}
            </dl>
          )}
        </Answered>
      )}
    </Part>
  );
});
