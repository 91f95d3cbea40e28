/** Somewhere text goes. */
export interface Sink {
  write(text: string): boolean;
  /** The reader went away (`| head`): nothing more has to be made for it. */
  readonly closed: boolean;
  readonly isTty: boolean;
  readonly columns: number;
}

/** Everything a command may touch besides files, so that a test can run `main` without a process. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, for progress alone; no report holds a time. */
  now(): number;
}
