import type { ReactNode } from "react";
import type { DiffPiece } from "./word-diff.ts";

/** Below that share of common words a comparison word by word is noise. */
export const TOO_UNLIKE = 0.2;

/** Two texts as one: struck what only the first has, underlined what only the second has. */
export function DiffWords({ pieces }: { pieces: readonly DiffPiece[] }): ReactNode {
  return (
    <bdi className="diffwords">
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
  );
}
