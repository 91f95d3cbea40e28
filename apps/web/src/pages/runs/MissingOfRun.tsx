import type { RunRow } from "@while/platform-client/contract";
import { missingOf } from "@while/platform-client/rules";
import type { ReactNode } from "react";
import { Code } from "../../parts/Code.tsx";
import styles from "./MissingOfRun.module.css";
import { missingCalls } from "./missing-calls.ts";

/** What a run cannot be read without, and the calls that bring it. */
export function MissingOfRun({ run }: { run: RunRow }): ReactNode {
  const missing = missingOf(run);
  return (
    <div id="missing">
      <h4>
        {missing.items.length === 0 ? "Missing" : `Missing: ${missing.items.map(({ key }) => WORDS[key]).join(", ")}`}
      </h4>
      {missing.items.length === 0 ? (
        <p className="small">Nothing: record, score, hours and cost are all there.</p>
      ) : (
        <>
          <p className="small prose">
            {missing.items.map(({ say }) => `${say.charAt(0).toUpperCase()}${say.slice(1)}.`).join(" ")} Send what is
            below with your own values, or finish the run again from code. Opening a new run with this id would
            overwrite it.
          </p>
          <div className={styles.fill}>
            <Code code={missingCalls(run.id, missing)} />
          </div>
        </>
      )}
    </div>
  );
}

const WORDS = { record: "record", score: "score", hours_cost: "hours and cost" } as const;
