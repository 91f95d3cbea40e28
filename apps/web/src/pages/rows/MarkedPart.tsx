import { type Example, getRows, type RunDetail } from "@while/platform-client/contract";
import { type ReactNode, useMemo } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { counted, number, whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { CutText } from "../../parts/CutText.tsx";
import { Part } from "../../parts/Part.tsx";
import { ViewLink } from "../../parts/ViewLink.tsx";
import { useChoices } from "../../use-search.ts";
import { DiffWords, TOO_UNLIKE } from "./DiffWords.tsx";
import styles from "./MarkedPart.module.css";
import { markedPlaces, withMark, withoutMarks } from "./marked-rows.ts";
import { wordDiff } from "./word-diff.ts";

export interface MarkedPartProps {
  run: RunDetail;
  behavior: string;
}

/** The rows that were marked, side by side: each reply against the first of them, word by word. */
export function MarkedPart({ run, behavior }: MarkedPartProps): ReactNode {
  const [search] = useChoices();
  const places = markedPlaces(search);
  const answer = useAnswer(getRows, {
    params: { id: run.id, behavior },
    query: { place: places },
    when: places.length > 0,
  });
  if (places.length === 0) return null;
  return (
    <Part
      id="marked"
      title="Marked rows"
      full
      note={
        <span className="choices">
          <span>
            {places.length === 1
              ? "Mark another, and the two stand side by side."
              : "Words that only the first has are struck, those that only the other has are underlined."}
          </span>
          <ViewLink search={withoutMarks}>Unmark {places.length === 1 ? "it" : `all ${places.length}`}</ViewLink>
        </span>
      }
    >
      <Answered of={answer} what="the marked rows">
        {(found) => {
          const rows = places.flatMap((place) => {
            const index = found.places?.indexOf(place) ?? -1;
            return index === -1 ? [] : [{ place, row: found.rows[index]! }];
          });
          const gone = answer.isPlaceholderData ? 0 : places.length - rows.length;
          return (
            <>
              <ul className={styles.marked}>
                {rows.map(({ place, row }, index) => (
                  <Marked key={place} place={place} row={row} first={index === 0 ? null : rows[0]!.row} />
                ))}
              </ul>
              {gone > 0 && (
                <p className="small none">{counted(gone, "marked row is", "marked rows are")} not there any more.</p>
              )}
            </>
          );
        }}
      </Answered>
    </Part>
  );
}

interface MarkedProps {
  /** In the set, from 0. */
  place: number;
  row: Example;
  /** What it is held against; null of the first itself. */
  first: Example | null;
}

function Marked({ place, row: { ok, prompt, reply, why, score, tags }, first }: MarkedProps): ReactNode {
  const entries = Object.entries(tags ?? {});
  return (
    <li>
      <p className="note">
        <CheckMark state={ok ? "ok" : "failing"} hidden /> {ok ? "passed" : "failed"}
        {score != null && score !== Number(ok) && `, score ${number(score)}`}, row {whole(place + 1)} of the set
      </p>
      <p className="q small untrusted">
        {first !== null && first.prompt === prompt ? (
          <span className="quiet">the same was asked</span>
        ) : prompt ? (
          <CutText text={prompt} />
        ) : (
          <span className="none">no prompt posted</span>
        )}
      </p>
      <div className="small untrusted">
        {!reply ? (
          <p className="none">no reply posted</p>
        ) : first?.reply ? (
          <Against first={first.reply} reply={reply} />
        ) : (
          <p className="as-written">
            <CutText text={reply} />
          </p>
        )}
      </div>
      {why && (
        <p className="note untrusted">
          <CutText text={why} />
        </p>
      )}
      {entries.length > 0 && (
        <p className="note quiet untrusted">
          {entries.map(([key, value], index) => (
            <span key={key} title={key}>
              {index > 0 && ", "}
              <bdi>{value}</bdi>
            </span>
          ))}
        </p>
      )}
      <p className="note">
        <ViewLink search={(before) => withMark(before, place)}>
          unmark<span className="sr"> row {whole(place + 1)}</span>
        </ViewLink>
      </p>
    </li>
  );
}

function Against({ first, reply }: { first: string; reply: string }): ReactNode {
  const { pieces, alike } = useMemo(() => wordDiff(first, reply), [first, reply]);
  if (first === reply) return <p className="quiet">the same reply</p>;
  return <p className="as-written">{alike < TOO_UNLIKE ? <CutText text={reply} /> : <DiffWords pieces={pieces} />}</p>;
}
