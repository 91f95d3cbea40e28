import type { ExitCode } from "./exit-code.ts";
import type { Flag } from "./flag.ts";
import type { InputFlags } from "./input-flags.ts";
import type { Io } from "./io/io.ts";

/** The flags that every verb reads the same way. */
export interface CommonFlags {
  json?: boolean;
  quiet?: boolean;
  /** false for `--no-color`. */
  color?: boolean;
  /** false for `--no-gate`. */
  gate?: boolean;
}

/** One command line, parsed: what a verb's `run` gets. Flags that were not given are not there. */
export interface Call<Own extends object = object> {
  verb: string;
  /** The words behind `wai`, as they were typed. */
  argv: readonly string[];
  files: readonly string[];
  /** The verb's own flags: they map to a library function's options one to one. */
  flags: Own;
  input: InputFlags;
  /** Of `-o`; undefined without it. */
  output: string | undefined;
  common: CommonFlags;
  io: Io;
}

/** Places in the loop, in its order; `wai --help` is grouped by them. */
export const CHAPTERS = ["measure", "choose and hand on", "all of it"] as const;
type Chapter = (typeof CHAPTERS)[number];

interface Example {
  line: string;
  about: string;
}

/** A verb of the command line. Help, completion and parsing all read this one description. */
export interface Verb<Own extends object = object> {
  name: string;
  chapter: Chapter;
  /** One line of `wai --help`. */
  summary: string;
  /** Files are what a verb reads; this one is told of them by flags, if at all. */
  files?: "by flag";
  flags: readonly Flag[];
  /** What `-o` is for; a verb without it has no such flag. */
  output?: Flag;
  examples: readonly [Example, Example];
  exits: readonly (readonly [code: ExitCode, meaning: string])[];
  run(call: Call<Own>): Promise<ExitCode>;
}
