import type { Paint } from "./colour.ts";
import { COMMON_FLAGS } from "./parse-command-line.ts";
import { CHAPTERS, type Flag, type Verb } from "./verb.ts";

/** `wai --help`: one screen of 24 lines by 80 columns, verbs in the order of the loop. */
export function programHelp(verbs: readonly Verb[], { bold, dim }: Paint): string {
  const lines = ["Rollouts of a tool-using agent: is the number real, and which rows teach it?", ""];
  lines.push(`${bold("usage")}  wai VERB FILE... [flags]`);
  lines.push(dim("       FILE is any rollout file, .gz too, a folder saved by a run, or - for stdin"));
  for (const chapter of CHAPTERS) {
    lines.push(bold(chapter));
    for (const { name, summary } of verbs.filter((verb) => verb.chapter === chapter)) {
      lines.push(`  ${name.padEnd(11)}${summary}`);
    }
  }
  lines.push(
    "",
    `  ${"help VERB".padEnd(11)}usage, two examples, exit codes`,
    `  ${"completion".padEnd(11)}bash, zsh or fish: completion for your shell`,
    "",
    `${bold("flags")}  --json  one JSON document   -o FILE  where rows go   --quiet  --no-color  --version`,
    `${bold("exit")}   0 holds or done   1 does not hold   2 cannot tell   3 the command failed`,
    `${bold("start")}  wai run rollouts.jsonl -o report`,
  );
  return lines.join("\n");
}

/** `wai help pass-at` */
export function verbHelp(verb: Verb, { bold }: Paint): string {
  const files = verb.filesUnless === undefined ? "FILE..." : "[FILE...]";
  return [
    `wai ${verb.name}: ${verb.summary}`,
    "",
    `${bold("usage")}  wai ${verb.name} ${files} [flags]`,
    "",
    bold("flags"),
    ...flagLines([...verb.flags, ...COMMON_FLAGS]),
    "",
    bold("examples"),
    ...verb.examples.flatMap(({ line, about }) => [`  ${line}`, `      ${about}`]),
    "",
    bold("exit codes"),
    ...verb.exits.map(([code, meaning]) => `  ${code}  ${meaning}`),
  ].join("\n");
}

const FLAG_COLUMN = 26;

function flagLines(flags: readonly Flag[]): string[] {
  return flags.map(({ spec, about }) => {
    // A flag without a short name stands under the long names of the others.
    const name = spec.startsWith("--") ? `    ${spec}` : spec;
    return `  ${name.padEnd(FLAG_COLUMN)}${name.length >= FLAG_COLUMN ? `\n  ${" ".repeat(FLAG_COLUMN)}` : ""}${about}`;
  });
}
