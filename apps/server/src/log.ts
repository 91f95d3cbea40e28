export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One JSON line an event. Fields are chosen one by one where they are logged, so that no secret rides along. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Writes lines of JSON, by default to standard error. */
export function jsonLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`);
  return { info: at("info"), error: at("error") };
}
