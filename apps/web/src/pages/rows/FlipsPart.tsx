import {
  type Example,
  FLIP_KINDS,
  type Flips,
  getFlips,
  getRun,
  type RunDetail,
} from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Part } from "../../parts/Part.tsx";
import { ViewLink } from "../../parts/ViewLink.tsx";
import { choiceOf, countOf, type Search } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { ClippedText } from "./ClippedText.tsx";
import { FlipsPick } from "./FlipsPick.tsx";
import { differenceSentence, flipsSentence, unpairedSentence } from "./flips-words.ts";
import { OTHER_ROWS } from "./row-filters.ts";
import { cursorOf, PAGE_ROWS } from "./row-pages.ts";

type Kind = (typeof FLIP_KINDS)[number];

export interface FlipsPartProps {
  run: RunDetail;
  behavior: string;
  /** Run whose rows came before. */
  against: string;
}

/** Which rows changed sides between two versions, each with both replies. */
export function FlipsPart({ run, behavior, against }: FlipsPartProps): ReactNode {
  const [search, choose] = useChoices();
  const kind = choiceOf(search, "kind", FLIP_KINDS);
  const page = countOf(search, "page", 1);
  const other = useAnswer(getRun, { params: { id: against }, query: { max_points: 2 } });
  const flips = useAnswer(getFlips, {
    params: { id: run.id, behavior },
    query: { against, kind, limit: PAGE_ROWS, cursor: cursorOf(page) },
  });
  const names = { before: other.data?.version ?? against, after: run.version };
  return (
    <Part
      id="flips"
      title="Flips"
      full
      note={
        <>
          <p>
            Rows of the same prompt and reference, side by side. McNemar takes each pair for a task of its own; the
            change paired by task does not, and decides.
          </p>
          <p className="choices">
            <FlipsPick run={run} behavior={behavior} />
          </p>
        </>
      }
    >
      <Answered of={flips} what="what changed">
        {(found) => (
          <>
            <Sentences flips={found} names={names} />
            <nav className="choices" aria-label="By change">
              {FLIP_KINDS.map((one) => (
                <ViewLink
                  key={one}
                  search={
                    ((before: Search) => ({
                      ...before,
                      ...OTHER_ROWS,
                      kind: one === "changed" ? undefined : one,
                    })) as never
                  }
                  current={one === kind}
                >
                  {WORDS[one]} {whole(countOfKind(found, one))}
                </ViewLink>
              ))}
            </nav>
            {found.rows.length === 0 ? (
              <p className="small none">No row {EMPTY[kind]}.</p>
            ) : (
              <FlipTable rows={found.rows} names={names} />
            )}
            <Pager
              page={page}
              size={PAGE_ROWS}
              total={found.total}
              what="rows"
              onPage={(wanted) => choose({ page: wanted > 1 ? String(wanted) : undefined })}
            />
          </>
        )}
      </Answered>
    </Part>
  );
}

const WORDS: Record<Kind, string> = {
  changed: "changed",
  broke: "passed, now fail",
  fixed: "failed, now pass",
  bothFailed: "fail under both",
  bothPassed: "pass under both",
};

const EMPTY: Record<Kind, string> = {
  changed: "changed sides",
  broke: "passed before and fails now",
  fixed: "failed before and passes now",
  bothFailed: "fails under both",
  bothPassed: "passes under both",
};

function countOfKind({ fixed, broke, bothFailed, bothPassed }: Flips, kind: Kind): number {
  return { changed: fixed + broke, broke, fixed, bothFailed, bothPassed }[kind];
}

function Sentences({ flips, names }: { flips: Flips; names: { before: string; after: string } }): ReactNode {
  const difference = differenceSentence(flips.difference);
  const left = unpairedSentence(flips, names);
  return (
    <div className="prose untrusted">
      <p>
        <bdi>{flipsSentence(flips, names)}</bdi>
      </p>
      {difference !== null && <p>{difference}</p>}
      {left !== null && (
        <p className="small quiet">
          <bdi>{left}</bdi>
        </p>
      )}
    </div>
  );
}

interface FlipTableProps {
  rows: readonly { before: Example; after: Example }[];
  names: { before: string; after: string };
}

function FlipTable({ rows, names }: FlipTableProps): ReactNode {
  return (
    <table className="flips">
      <caption className="sr">
        Replies of {names.before} and {names.after} to the same prompts
      </caption>
      <thead>
        <tr>
          <th scope="col">asked</th>
          <th scope="col">
            <bdi>{names.before}</bdi> answered
          </th>
          <th scope="col">
            <bdi>{names.after}</bdi> answered
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ before, after }, index) => (
          <tr key={index}>
            <th scope="row" className="untrusted q">
              {after.prompt ? <ClippedText text={after.prompt} /> : <span className="none">no prompt posted</span>}
            </th>
            <Answer row={before} version={names.before} />
            <Answer row={after} version={names.after} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Answer({ row: { ok, reply, why }, version }: { row: Example; version: string }): ReactNode {
  return (
    <td className="untrusted">
      <p className="note">
        <CheckMark state={ok ? "ok" : "failing"} hidden /> <bdi className="of-version">{version} </bdi>
        {ok ? "passed" : "failed"}
        {why && (
          <>
            {": "}
            <ClippedText text={why} />
          </>
        )}
      </p>
      <p>{reply ? <ClippedText text={reply} /> : <span className="none">no reply posted</span>}</p>
    </td>
  );
}
