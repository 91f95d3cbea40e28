import type { ExitCode } from "./exit-code.ts";
import type { ReadFlag } from "./flag-values.ts";
import type { Io } from "./io/io.ts";

/** One flag, as help and completion show it and commander parses it. */
export interface Flag {
  /** `-o, --output <file>`; without `<…>` it takes no value. */
  spec: string;
  about: string;
  /** Without it the text is the value. */
  read?: ReadFlag;
  /** The words it takes, where they are few; completion offers them. */
  choices?: readonly string[];
}

/** The flags that every verb reads the same way. */
export interface CommonFlags {
  json?: boolean;
  quiet?: boolean;
  /** false for `--no-color`. */
  color?: boolean;
}

/** One command line, parsed: what a verb's `run` gets. */
export interface Call<Flags extends object = object> {
  verb: string;
  files: readonly string[];
  /** Only what was given, by the verb's own flags: they map to a library function's options one to one. */
  flags: Flags;
  common: CommonFlags;
  io: Io;
}

/** Places in the loop, in its order; `wai --help` is grouped by them. */
export const CHAPTERS = ["measure", "select", "export", "all of it"] as const;
export type Chapter = (typeof CHAPTERS)[number];

/** A verb of the command line. Help, completion and parsing all read this one description. */
export interface Verb<Flags extends object = object> {
  name: string;
  chapter: Chapter;
  /** One line of `wai --help`. */
  summary: string;
  flags: readonly Flag[];
  /** The flag, by its name in `flags` of a call, that takes the place of the files. */
  filesUnless?: string;
  /** Two command lines and what each is for. */
  examples: readonly [Example, Example];
  exits: readonly (readonly [code: ExitCode, meaning: string])[];
  run(call: Call<Flags>): Promise<ExitCode>;
}

export interface Example {
  line: string;
  about: string;
}
