import type { Behavior } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { whole } from "../../numbers.ts";

/** Longer than this it is folded: it would push the next behavior off the screen. */
const FOLD = 700;

/** What the judge is told, word for word and as text: it was written by whoever posted it. */
export function Rubric({ behavior }: { behavior: Behavior | undefined }): ReactNode {
  const rubric = behavior?.rubric;
  if (!rubric) {
    return behavior === undefined || behavior.gradedBy === "program" ? null : (
      <>
        <h3 className="rub">Rubric</h3>
        <p className="small none">not posted</p>
      </>
    );
  }
  const text = (
    <p className="small as-written">
      <bdi>{rubric}</bdi>
    </p>
  );
  return (
    <>
      <h3 className="rub">Rubric</h3>
      {rubric.length <= FOLD ? (
        text
      ) : (
        <details>
          <summary>The whole rubric, {whole(rubric.length)} characters</summary>
          {text}
        </details>
      )}
    </>
  );
}
