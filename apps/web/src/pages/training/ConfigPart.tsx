import { getVersion, type RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { BreakableName } from "../../parts/BreakableName.tsx";
import { Code } from "../../parts/Code.tsx";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { FoldedText } from "../../parts/FoldedText.tsx";
import { Part } from "../../parts/Part.tsx";
import { UntrustedMarkdown } from "../../parts/UntrustedMarkdown.tsx";
import { type ConfigRow, configRows } from "./config-rows.ts";

/** Keys of the summary that stand elsewhere on the page. */
const SHOWN = new Set([
  "delta",
  "holdout",
  "holdoutSummary",
  "hack_monitor",
  "gpu",
  "seconds",
  "cost_usd",
  "cost_basis",
]);
const HELD_OUT = /^holdout(Pass|Loss)(Before|After)$/;
/** Settings that stand open before the rest is folded. */
const OPEN = 24;

/** How it was trained, as it was sent, and what came of it. */
export function ConfigPart({ run }: { run: RunDetail }): ReactNode {
  const rows = configRows(run.config ?? run.record?.optimizer ?? null);
  const left = Object.fromEntries(
    Object.entries(run.summary ?? {}).filter(([key]) => !SHOWN.has(key) && !HELD_OUT.test(key)),
  );
  return (
    <Part id="config" title="Configuration" note="As it was sent, under the trainer’s own names.">
      {rows.length === 0 ? (
        <p className="none">The trainer sent no settings.</p>
      ) : (
        <Settings rows={rows.slice(0, OPEN)} />
      )}
      {rows.length > OPEN && (
        <details>
          <summary>{whole(rows.length - OPEN)} more settings</summary>
          <Settings rows={rows.slice(OPEN)} />
        </details>
      )}
      <Adapter run={run} />
      {run.notes != null && run.notes !== "" && <UntrustedMarkdown text={run.notes} />}
      {Object.keys(left).length > 0 && (
        <details>
          <summary>What it said at its end</summary>
          <Code code={JSON.stringify(left, null, 2)} what="the summary" />
        </details>
      )}
    </Part>
  );
}

function Settings({ rows }: { rows: readonly ConfigRow[] }): ReactNode {
  return (
    <dl className="defs settings">
      {rows.map(({ name, value }) => (
        <div key={name} className="pair">
          <dt className="wrap">
            <BreakableName name={name} />
          </dt>
          <dd className="wrap">
            <FoldedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Where what was learned lies, and whether this server can serve it. */
function Adapter({ run }: { run: RunDetail }): ReactNode {
  const version = useAnswer(getVersion);
  const adapter = run.adapter ?? run.record?.provenance?.adapter ?? null;
  if (adapter === null) {
    return (
      <p className="small">
        Adapter:{" "}
        <span className="none">{run.status === "running" ? "none yet, the run goes on" : "none was posted"}</span>
      </p>
    );
  }
  const base = run.base ?? run.baseModel ?? null;
  const served = version.data?.served_bases ?? [];
  const why =
    base === null
      ? "The run names no base model, so nothing can serve it."
      : served.includes(base)
        ? `This server serves ${base}.`
        : served.length === 0
          ? "This server serves no models: load the adapter with a server of your own."
          : `This server serves ${served.join(", ")} and not ${base}.`;
  return (
    <div className="small">
      <p>
        Adapter: <code className="wrap">{adapter}</code> <CopyButton text={adapter} what="the adapter's place" />
      </p>
      {version.data !== undefined && <p className="quiet wrap">{why}</p>}
    </div>
  );
}
