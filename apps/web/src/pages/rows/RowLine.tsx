import type { Example } from "@while/platform-client/contract";
import type { MouseEvent, ReactNode } from "react";
import { number, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { ClippedText } from "./ClippedText.tsx";
import { Rollouts } from "./Rollouts.tsx";

export interface RowLineProps {
  row: Example;
  /** In the filtered list, from 1. */
  place: number;
  rollouts: readonly boolean[] | null;
  open: boolean;
  inHand: boolean;
  /** Held beside others. */
  marked: boolean;
  onToggle: () => void;
  onFocus: () => void;
}

/** One graded row in a line: a click anywhere opens it, and its number does for the keyboard. */
export function RowLine({ row, place, rollouts, open, inHand, marked, onToggle, onFocus }: RowLineProps): ReactNode {
  const { ok, prompt, reply, why, tags, score } = row;
  const onClick = (event: MouseEvent): void => {
    // Somebody who marks text, or presses something inside, did not mean to open it.
    const pressed = (event.target as Element).closest("a, button, summary");
    if (pressed === null && (window.getSelection()?.isCollapsed ?? true)) onToggle();
  };
  const entries = Object.entries(tags ?? {});
  const state = open ? "here" : inHand ? "hand" : undefined;
  return (
    <tr className={state} aria-rowindex={place + 1} onClick={onClick}>
      <td className="m nowrap">
        <CheckMark state={ok ? "ok" : "failing"} hidden /> {ok ? "passed" : "failed"}
        {score != null && score !== Number(ok) && <span className="sub">score {number(score)}</span>}
      </td>
      <td className="t">
        <button
          type="button"
          id={`open-row-${place}`}
          className="bare"
          aria-expanded={open}
          aria-controls={open ? `row-${place}` : undefined}
          onClick={onToggle}
          onFocus={onFocus}
        >
          <span className="sr">Row </span>
          {whole(place)}
        </button>
        {marked && <span className="note accent"> marked</span>}
        {rollouts !== null && rollouts.length > 1 && <Rollouts graded={rollouts} />}
      </td>
      <td className="untrusted">
        <p className="q">{prompt ? <ClippedText text={prompt} /> : <span className="none">no prompt posted</span>}</p>
        <p>{reply ? <ClippedText text={reply} /> : <span className="none">no reply posted</span>}</p>
      </td>
      <td className="y untrusted">
        {why ? <ClippedText text={why} /> : !ok && <span className="none">no reason posted</span>}
      </td>
      <td className="wide-only g untrusted">
        {entries.map(([key, value], index) => (
          <span key={key} title={key}>
            {index > 0 && ", "}
            <bdi>{value}</bdi>
          </span>
        ))}
      </td>
    </tr>
  );
}
