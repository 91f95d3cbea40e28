import { Link } from "@tanstack/react-router";
import { type Example, getRun, type VersionScore } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { CutText } from "../../parts/CutText.tsx";
import { Pick } from "../../parts/Pick.tsx";
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
                  <Sample key={index} example={example} />
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

function Sample({ example: { ok, prompt, reply, why, reference, detail } }: { example: Example }): ReactNode {
  return (
    <li className="sample">
      <div className="m">
        <CheckMark state={ok ? "ok" : "failing"} hidden /> {ok ? "passed" : "failed"}
      </div>
      <div className="untrusted">
        <p className="q">{prompt ? <CutText text={prompt} /> : <span className="none">no prompt posted</span>}</p>
        <p className="a">{reply ? <CutText text={reply} /> : <span className="none">no reply posted</span>}</p>
      </div>
      <div className="w untrusted">
        {why ? (
          <p>
            <CutText text={why} />
          </p>
        ) : (
          !ok && <p className="none">no reason posted</p>
        )}
        {reference && (
          <p className="quiet">
            Should: <CutText text={reference} />
          </p>
        )}
        {detail && <SampleDetail text={detail} />}
      </div>
    </li>
  );
}

function SampleDetail({ text }: { text: string }): ReactNode {
  return text.length <= 160 ? (
    <p className="quiet">
      <CutText text={text} />
    </p>
  ) : (
    <details>
      <summary>Detail, {whole(text.length)} characters</summary>
      <p className="quiet as-written">
        <CutText text={text} />
      </p>
    </details>
  );
}
