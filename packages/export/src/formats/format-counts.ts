/** Counters that a format has for itself. */
export interface FormatCounts {
  /** Rows whose turns do not alternate as the trainer asks. */
  alternationDropped?: number;
  /** Turns whose text had no place beside their call. */
  textBesideCall?: number;
}

/** A counter in the report, 0 included, and the warning it makes above 0. */
export interface FormatCount {
  name: keyof FormatCounts;
  code: string;
  says(n: number): string;
}
