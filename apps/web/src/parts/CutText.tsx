import type { ReactNode } from "react";
import { whole } from "../numbers.ts";
import { cutPieces } from "./cut-pieces.ts";

/** A stored text of somebody else's, as text; where something was cut out of it, the mark says how much. */
export function CutText({ text }: { text: string }): ReactNode {
  return (
    <bdi>
      {cutPieces(text).map((piece, index) =>
        "gone" in piece ? (
          <mark key={index} className="cut" title={`${whole(piece.gone)} characters were cut before it was stored`}>
            {piece.marker}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
