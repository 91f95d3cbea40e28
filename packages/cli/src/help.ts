import type { Paint } from "./colour.ts";
import type { Flag } from "./flag.ts";
import { INPUT_FLAGS } from "./input-flags.ts";
import { COMMON_FLAGS, ownFlags } from "./parse-command-line.ts";
import { chapters } from "./program-help.ts";
import type { Verb } from "./verb.ts";
import { wrapped } from "./wrapped.ts";

/** `wai help all`: a line a verb. */
export function allHelp(verbs: readonly Verb[], { bold }: Paint): string {
  const column = Math.max(...verbs.map(({ name }) => name.length), COMPLETION.length) + 2;
  const lines = chapters(verbs).flatMap(({ chapter, question, members }) => [
    `${bold(chapter)}: ${question}`,
    ...members.map(({ name, summary }) => `  ${name.padEnd(column)}${summary}`),
    "",
  ]);
  const rest = [
    ["help VERB", "usage, examples, exit codes"],
    [COMPLETION, "bash, zsh or fish: completion for your shell"],
  ] as const;
  return [...lines, ...rest.map(([name, about]) => `  ${name.padEnd(column)}${about}`)].join("\n");
}

/** `wai help pass-at` */
export function verbHelp(verb: Verb, { bold }: Paint): string {
  return [
    `wai ${verb.name}: ${verb.summary}`,
    "",
    `${bold("usage")}  wai ${verb.name} ${behind(verb)}[flags]`,
    "",
    ...flagPart("flags", ownFlags(verb), bold),
    ...flagPart("reading", verb.names === undefined ? INPUT_FLAGS : [], bold),
    ...flagPart("always", COMMON_FLAGS, bold),
    bold("examples"),
    ...verb.examples.flatMap(({ line, about }) => [`  ${line}`, `      ${about}`]),
    "",
    bold("exit codes"),
    ...verb.exits.map(([code, meaning]) => `  ${code}  ${meaning}`),
  ].join("\n");
}

/** What stands between the verb and its flags. */
function behind({ files, names }: Verb): string {
  if (names !== undefined) return names.usage === "" ? "" : `${names.usage} `;
  return files === "by flag" ? "" : "FILE... ";
}

const COMPLETION = "completion";
const FLAG_COLUMN = 30;
const WIDTH = 80;

/** A head and the flags under it; nothing without flags. */
function flagPart(head: string, flags: readonly Flag[], bold: Paint["bold"]): string[] {
  if (flags.length === 0) return [];
  return [bold(head), ...flags.flatMap(flagLines), ""];
}

function flagLines({ spec, about, choices }: Flag): string[] {
  // A flag without a short name stands under the long names of the others.
  const name = spec.startsWith("--") ? `    ${spec}` : spec;
  const text = choices === undefined ? about : `${about}: ${choices.join(", ")}`;
  const [first, ...rest] = wrapped(text, WIDTH - FLAG_COLUMN).split("\n");
  return [`  ${name}`.padEnd(FLAG_COLUMN) + first, ...rest.map((line) => " ".repeat(FLAG_COLUMN) + line)];
}
