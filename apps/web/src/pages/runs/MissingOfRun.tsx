import type { RunRow } from "@while/platform-client/contract";
import { missingOf } from "@while/platform-client/rules";
import type { ReactNode } from "react";
import { date } from "../../numbers.ts";
import { Code } from "../../parts/Code.tsx";
import { AskAgain, Dismiss } from "./Dismiss.tsx";
import styles from "./MissingOfRun.module.css";
import { missingCalls } from "./missing-calls.ts";

/** What a run cannot be read without, the calls that bring it, and what somebody said may stay as it is. */
export function MissingOfRun({ run }: { run: RunRow }): ReactNode {
  const missing = missingOf(run);
  return (
    <div id="missing">
      <h4>
        {missing.items.length === 0 ? "Missing" : `Missing: ${missing.items.map(({ key }) => WORDS[key]).join(", ")}`}
      </h4>
      {missing.items.length === 0 ? (
        <p className="small">
          {missing.dismissed.length === 0
            ? "Nothing: record, score, hours and cost are all there."
            : "Nothing that anybody still asks for."}
        </p>
      ) : (
        <>
          <ul className="small prose">
            {missing.items.map(({ key, say }) => (
              <li key={key}>
                {sentence(say)} <Dismiss asked={key} runs={[run.id]} what={WORDS[key]} />
              </li>
            ))}
          </ul>
          <p className={`small prose ${styles.send}`}>
            Send what is below with your own values, or finish the run again from code. Opening a new run with this id
            would overwrite it.
          </p>
          <div className={styles.fill}>
            <Code code={missingCalls(run.id, missing)} />
          </div>
        </>
      )}
      {missing.dismissed.length > 0 && (
        <ul className={`small prose ${styles.dismissed}`}>
          {missing.dismissed.map(({ key, reason, by, at }) => (
            <li key={key}>
              <span className="quiet">Dismissed, {WORDS[key]}:</span> <bdi>{reason}</bdi>{" "}
              <span className="quiet">
                ({by === null ? "" : `${by}, `}
                {date(at)})
              </span>{" "}
              <AskAgain asked={key} runs={[run.id]} what={WORDS[key]} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

const WORDS = { record: "record", score: "score", hours_cost: "hours and cost" } as const;
