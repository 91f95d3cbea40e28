import type { Example, RunDetail } from "@while/platform-client/contract";
import { type ReactNode, useMemo } from "react";
import { number } from "../../numbers.ts";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { CutText } from "../../parts/CutText.tsx";
import { JudgeAgainstPeople } from "./JudgeAgainstPeople.tsx";
import { ReferenceDiff } from "./ReferenceDiff.tsx";
import { Rollouts } from "./Rollouts.tsx";
import { rowStory, type Turn } from "./row-story.ts";

export interface OpenRowProps {
  run: RunDetail;
  behavior: string;
  row: Example;
  rollouts: readonly boolean[] | null;
  /** Held beside others. */
  marked: boolean;
  /** Marks the row or lets it go; null where its place is not known. */
  onMark: (() => void) | null;
  /** Opens the neighbour in the filtered list; null at its ends. */
  before: (() => void) | null;
  after: (() => void) | null;
}

/** A row as a whole: the conversation, the reply against the reference, and who judged it how. */
export function OpenRow({ run, behavior, row, rollouts, marked, onMark, before, after }: OpenRowProps): ReactNode {
  const story = useMemo(() => rowStory(row), [row]);
  return (
    <div className="opened">
      <div className="talk untrusted">
        <h3>What was said and done</h3>
        {story.turns.map((turn, index) => (
          <TurnLine key={index} turn={turn} />
        ))}
        {row.reference && <ReferenceDiff reference={row.reference} reply={row.reply ?? ""} />}
      </div>
      <div className="graded untrusted">
        <JudgeAgainstPeople run={run} behavior={behavior} ok={row.ok} story={story} />
        <Facts row={row} detail={story.detail} rollouts={rollouts} />
        <p className="choices">
          <button type="button" className="plain" disabled={before === null} onClick={() => before?.()}>
            previous <span className="faint">[</span>
          </button>
          <button type="button" className="plain" disabled={after === null} onClick={() => after?.()}>
            next <span className="faint">]</span>
          </button>
          {onMark !== null && (
            <button type="button" className="plain" aria-pressed={marked} onClick={onMark}>
              {marked ? "unmark" : "mark"} <span className="faint">x</span>
            </button>
          )}
          <CopyButton text={() => JSON.stringify(row, null, 2)} what="the row">
            copy
          </CopyButton>
        </p>
      </div>
    </div>
  );
}

function TurnLine({ turn: { kind, who, text } }: { turn: Turn }): ReactNode {
  const machine = kind === "call" || kind === "result";
  return (
    <div className={`tline${machine ? " tool" : ""}`}>
      <div className="who">
        <bdi>{who}</bdi>
      </div>
      <div className="say">
        {machine ? (
          <pre>
            <code>
              <CutText text={text} />
            </code>
          </pre>
        ) : (
          <p className="as-written">
            <CutText text={text} />
          </p>
        )}
      </div>
    </div>
  );
}

interface FactsProps {
  row: Example;
  detail: string | null;
  rollouts: readonly boolean[] | null;
}

function Facts({ row: { reference, score, tags, why }, detail, rollouts }: FactsProps): ReactNode {
  const entries = Object.entries(tags ?? {});
  return (
    <dl className="defs">
      <dt>why</dt>
      <dd>{why ? <CutText text={why} /> : <span className="none">not posted</span>}</dd>
      <dt>reference</dt>
      <dd className="as-written">
        {reference ? <CutText text={reference} /> : <span className="none">not posted</span>}
      </dd>
      {detail !== null && (
        <>
          <dt>detail</dt>
          <dd className="as-written">
            <CutText text={detail} />
          </dd>
        </>
      )}
      {score != null && (
        <>
          <dt>score</dt>
          <dd>{number(score)}</dd>
        </>
      )}
      {entries.map(([key, value]) => (
        <Tag key={key} name={key} value={value} />
      ))}
      {rollouts !== null && rollouts.length > 1 && (
        <>
          <dt>all {rollouts.length}</dt>
          <dd className="four">
            <Rollouts graded={rollouts} />{" "}
            {rollouts.length <= 8 && (
              <span className="quiet">{rollouts.map((ok) => (ok ? "passed" : "failed")).join(", ")}</span>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

function Tag({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}
