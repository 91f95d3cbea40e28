import { Link } from "@tanstack/react-router";
import type { RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { CutText } from "../../parts/CutText.tsx";
import type { Gold, RowStory } from "./row-story.ts";

export interface JudgeAgainstPeopleProps {
  run: RunDetail;
  behavior: string;
  ok: boolean;
  story: RowStory;
}

/** The grade beside the labels of people, where there are any, and whether they say the same. */
export function JudgeAgainstPeople({ run, behavior, ok, story }: JudgeAgainstPeopleProps): ReactNode {
  const { gold, judge, judgeReason, disagree } = story;
  if (gold === null && judge === null) return null;
  return (
    <>
      <h3>
        {gold === null ? "Who graded it" : `Judge against ${gold.kind === "people" ? "people" : `a ${gold.kind}`}`}
      </h3>
      <table className="jg">
        <caption className="sr">Who says what of this row</caption>
        <thead className="sr">
          <tr>
            <th scope="col">grade</th>
            <th scope="col">by</th>
            <th scope="col">because</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <CheckMark state={ok ? "ok" : "failing"} />
            </td>
            <th scope="row">
              <bdi>{judge ?? "as graded"}</bdi>
              <span className="sub">{ok ? "passed" : "failed"}</span>
            </th>
            <td>
              {judgeReason === null ? <span className="none">no reason posted</span> : <Quote text={judgeReason} />}
            </td>
          </tr>
          {gold !== null && (
            <tr>
              <td>
                <CheckMark
                  state={2 * gold.passed === gold.of ? "open" : 2 * gold.passed > gold.of ? "ok" : "failing"}
                />
              </td>
              <th scope="row">
                <bdi>{gold.by || nameOf(gold)}</bdi>
                <span className="sub">{says(gold)}</span>
              </th>
              <td>{gold.note === null ? <span className="none">no note</span> : <Quote text={gold.note} />}</td>
            </tr>
          )}
        </tbody>
      </table>
      {gold !== null && (
        <p className="small">
          {disagree === null ? "The labels are split." : disagree ? <b>They disagree.</b> : "They agree."}{" "}
          {run.agent !== null && (
            <Link to="/platform/evals" search={{ agent: run.agent, behavior } as never}>
              The judge’s checks
            </Link>
          )}
        </p>
      )}
    </>
  );
}

function Quote({ text }: { text: string }): ReactNode {
  return (
    <>
      “<CutText text={text} />”
    </>
  );
}

function nameOf({ kind }: Gold): string {
  return kind === "people" ? "label" : `gold by a ${kind}`;
}

function says({ passed, of, kind }: Gold): string {
  if (of === 1) return passed === 1 ? "passed" : "failed";
  return `passed by ${passed} of ${of}${kind === "people" ? " people" : ""}`;
}
