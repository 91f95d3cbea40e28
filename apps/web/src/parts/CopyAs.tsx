import type { ReactNode } from "react";
import { copy } from "./CopyButton.tsx";
import { TABLE_FORMATS, type TableFormat } from "./table-text.ts";

export interface CopyAsProps {
  /** What is copied, as it is said afterwards: "the scores". */
  what: string;
  text: (format: TableFormat) => string | Promise<string>;
}

/** A table to take along, in the form that what takes it reads. */
export function CopyAs({ what, text }: CopyAsProps): ReactNode {
  return (
    <span>
      copy as{" "}
      {TABLE_FORMATS.map((format, place) => (
        <span key={format}>
          {place > 0 && ", "}
          <button
            type="button"
            className="plain"
            aria-label={`Copy ${what} as ${format}`}
            onClick={async () => copy(await text(format), `${what} as ${format}`)}
          >
            {format}
          </button>
        </span>
      ))}
    </span>
  );
}
