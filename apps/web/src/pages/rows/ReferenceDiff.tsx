import { type ReactNode, useMemo } from "react";
import { percent } from "../../numbers.ts";
import { wordDiff } from "./word-diff.ts";

/** Below that share of common words a comparison word by word is noise. */
const TOO_UNLIKE = 0.2;

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
            <bdi>
              {pieces.map((piece, index) =>
                piece.in === "both" ? (
                  piece.text
                ) : piece.in === "first" ? (
                  <del key={index}>{piece.text}</del>
                ) : (
                  <ins key={index}>{piece.text}</ins>
                ),
              )}
            </bdi>
          </p>
          <p className="note">
            <del>Struck</del>: only in the reference. <ins>Underlined</ins>: only in the reply.
          </p>
        </>
      )}
    </div>
  );
}
