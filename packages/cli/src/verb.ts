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
  /** What stands behind a verb that reads no rows: an agent, a run. */
  names: readonly string[];
  /** The verb's own flags: they map to a library function's options one to one. */
  flags: Own;
  input: InputFlags;
  /** Of `-o`; undefined without it. */
  output: string | undefined;
  common: CommonFlags;
  io: Io;
}

/** Places in the loop, in its order, and what is asked there; `wai --help` is grouped by them. */
export const CHAPTERS = {
  measure: "how good is the agent, how sure is that, did a change help?",
  trust: "may the number be believed?",
  select: "which rows to train on, and what would they teach?",
  export: "the rows, in the shape a trainer reads",
  platform: "scores, runs and rows, where a team decides",
  loop: "rollouts to begin with, and all of it on one file",
} as const;
export type Chapter = keyof typeof CHAPTERS;

interface Example {
  line: string;
  about: string;
}

/** Words behind a verb that are no files. */
export interface Names {
  /** As usage shows them: `AGENT [VERSION]`. Empty where nothing may stand there. */
  usage: string;
  least: number;
  most: number;
}

/** A verb of the command line. Help, completion and parsing all read this one description. */
export interface Verb<Own extends object = object> {
  name: string;
  chapter: Chapter;
  /** One line of `wai help all`. */
  summary: string;
  /** Files are what a verb reads; this one is told of them by flags, if at all. */
  files?: "by flag";
  /** Flags with which it reads no file. */
  needsNoFile?(flags: Own): boolean;
  /** For a verb that reads no rows: what stands behind it instead of files. */
  names?: Names;
  flags: readonly Flag[];
  /** What `-o` is for; a verb without it has no such flag. */
  output?: Flag;
  examples: readonly [Example, Example];
  exits: readonly (readonly [code: ExitCode, meaning: string])[];
  run(call: Call<Own>): Promise<ExitCode>;
}
