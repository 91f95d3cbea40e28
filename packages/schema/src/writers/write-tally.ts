/** What was written in another tool's format, and everything of the rows that the format has no place for. */
export interface WrittenRows {
  /** The format's name. */
  format: string;
  /** Rows that are in the file. */
  rows: number;
  /** Rows that the format cannot hold, by why: a clause. */
  leftOut: Map<string, number>;
  /** Keys of rows, and parts of their messages, that are not in the file, by the number of rows that had them. */
  left: Map<string, number>;
  /** What is in the file otherwise than in the rows, by the number of rows. */
  changed: Map<string, number>;
  /** What to know for reading the file, a sentence each. */
  notes: string[];
}

/** Counts what a writer leaves behind. */
export class WriteTally {
  readonly report: WrittenRows;

  constructor(format: string) {
    this.report = { format, rows: 0, leftOut: new Map(), left: new Map(), changed: new Map(), notes: [] };
  }

  written(): void {
    this.report.rows++;
  }

  /** A row that is not written. */
  leaveOut(why: string): void {
    count(this.report.leftOut, why);
  }

  /** Parts of one row that are not written; each counts once. */
  leave(parts: Iterable<string>): void {
    for (const part of new Set(parts)) count(this.report.left, part);
  }

  /** Parts of one row that read back otherwise; each counts once. */
  change(parts: Iterable<string>): void {
    for (const part of new Set(parts)) count(this.report.changed, part);
  }

  note(text: string): void {
    this.report.notes.push(text);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
