import { type ReactNode, useState } from "react";
import { whole } from "../numbers.ts";

/** Characters of a text that are shown before it is asked for. */
const SHOWN = 600;

/** A text of somebody else's, as text. A long one is folded, and says how much is. */
export function FoldedText({ text, code = false }: { text: string; code?: boolean }): ReactNode {
  const [open, setOpen] = useState(false);
  const folded = !open && text.length > 1.2 * SHOWN;
  const shown = folded ? text.slice(0, SHOWN) : text;
  return (
    <>
      <bdi className="told">{code ? <code>{shown}</code> : shown}</bdi>
      {folded && (
        <button type="button" className="plain" onClick={() => setOpen(true)}>
          {whole(text.length - SHOWN)} more characters
        </button>
      )}
    </>
  );
}
