import { Link } from "@tanstack/react-router";
import { getRun, type VersionScore } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Pick } from "../../parts/Pick.tsx";
import { SampleRow } from "../../parts/SampleRow.tsx";
import { textOf, textsOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { failuresFirst, scoreOf } from "./samples.ts";

export interface SamplesProps {
  agent: string;
  behavior: string;
  versions: readonly VersionScore[];
}

/** What a chosen version answered: a sample of its graded rows, failures first. Which is open stands in the address. */
export function Samples({ agent, behavior, versions }: SamplesProps): ReactNode {
  const [search, choose] = useChoices();
  const open = textsOf(search, "samples").includes(behavior);
  const chosen = textOf(search, `of.${behavior}`);
  const version = versions.find(({ v }) => v === chosen) ?? versions.at(-1)!;
  const toggle = (now: boolean): void => {
    if (now === open) return;
    const others = textsOf(search, "samples").filter((name) => name !== behavior);
    choose({ samples: now ? [...others, behavior] : others }, { replace: true });
  };
  return (
    <details open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>
        Samples of <bdi>{version.v}</bdi>
        <span className="sr"> on {behavior}</span>
      </summary>
      {open && (
        <>
          <p className="small sampled">
            {versions.length > 1 && (
              <Pick
                label={`Version whose samples of ${behavior} are shown`}
                value={version.v}
                options={versions.map(({ v }) => v).reverse()}
                onPick={(v) => choose({ [`of.${behavior}`]: v }, { replace: true })}
              />
            )}
          </p>
          <SampleList key={version.run} agent={agent} behavior={behavior} run={version.run ?? ""} />
        </>
      )}
    </details>
  );
}

function SampleList({ agent, behavior, run }: { agent: string; behavior: string; run: string }): ReactNode {
  const answer = useAnswer(getRun, { params: { id: run }, query: { max_points: 2 }, when: run !== "" });
  return (
    <Answered of={answer} what="the samples">
      {(detail) => {
        const score = scoreOf(detail, behavior);
        const examples = failuresFirst(score?.examples ?? []);
        const rows = score?.rows ?? 0;
        return (
          <>
            {examples.length === 0 ? (
              <p className="small none">No sample was posted with this score.</p>
            ) : (
              <ul className="samples">
                {examples.map((example, index) => (
                  <SampleRow key={index} example={example} />
                ))}
              </ul>
            )}
            <p className="small sampled">
              {rows > 0 ? (
                <Link to="/platform/runs/$run/rows" params={{ run }} search={{ agent, behavior } as never}>
                  All {whole(rows)} rows
                </Link>
              ) : (
                <span className="quiet">The rows behind this score were not posted.</span>
              )}
            </p>
          </>
        );
      }}
    </Answered>
  );
}
