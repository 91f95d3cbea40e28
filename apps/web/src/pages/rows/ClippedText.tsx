import type { ReactNode } from "react";
import { whole } from "../../numbers.ts";
import { CutText } from "../../parts/CutText.tsx";
import { charactersGone } from "../../parts/cut-pieces.ts";
import { clipText } from "./clip-text.ts";

/** The beginning of a text, and how much more there is of it. */
export function ClippedText({ text }: { text: string }): ReactNode {
  const { text: begins, more } = clipText(text);
  const gone = more === 0 ? 0 : charactersGone(text) - charactersGone(begins);
  return (
    <>
      <CutText text={begins} />
      {more > 0 && <span className="faint">… {whole(more)} more characters</span>}
      {gone > 0 && (
        <>
          {" "}
          <mark className="cut">[... {gone} chars cut ...]</mark>
        </>
      )}
    </>
  );
}
