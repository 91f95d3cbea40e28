import { type ReactNode, useMemo } from "react";
import { percent } from "../../numbers.ts";
import { DiffWords, TOO_UNLIKE } from "./DiffWords.tsx";
import { wordDiff } from "./word-diff.ts";

/** What should have come against what came, word by word. */
export function ReferenceDiff({ reference, reply }: { reference: string; reply: string }): ReactNode {
  const { pieces, alike } = useMemo(() => wordDiff(reference, reply), [reference, reply]);
  return (
    <div className="refdiff">
      <h3>Reference against reply</h3>
      {alike < TOO_UNLIKE ? (
        <p className="note">
          They share {percent(alike)} of their words: too few to be read against each other. The reference stands
          beside.
        </p>
      ) : (
        <>
          <p className="small as-written">
            <DiffWords pieces={pieces} />
          </p>
          <p className="note">
            <del>Struck</del>: only in the reference. <ins>Underlined</ins>: only in the reply.
          </p>
        </>
      )}
    </div>
  );
}
