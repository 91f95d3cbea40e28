import type { ReactNode } from "react";
import { whole } from "../numbers.ts";
import { announce } from "../shell/announce.tsx";
import { csvOf, download } from "./csv.ts";

export interface SaveTableProps {
  /** Name of the file, without its ending. */
  name: string;
  heads: readonly string[];
  /** All that the table has now; a promise where more is read for it than is shown. */
  rows: () => readonly (string | number | null)[][] | Promise<readonly (string | number | null)[][]>;
}

/** A table as a file that a spreadsheet opens. */
export function SaveTable({ name, heads, rows }: SaveTableProps): ReactNode {
  const save = async (): Promise<void> => {
    try {
      const table = await rows();
      download(`${name}.csv`, new Blob([csvOf(heads, table)], { type: "text/csv" }));
      announce(`Saved ${whole(table.length)} rows as CSV.`);
    } catch (error) {
      announce((error as Error).message);
    }
  };
  return (
    <button type="button" className="button" onClick={() => void save()}>
      CSV<span className="sr"> of the {name}</span>
    </button>
  );
}
