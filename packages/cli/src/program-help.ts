import type { Paint } from "./colour.ts";
import { CHAPTERS, type Chapter } from "./verb.ts";
import type { ListedVerb } from "./verbs.ts";
import { wrapped } from "./wrapped.ts";

const WIDTH = 80;
const NAME_COLUMN = 9;

/** `wai --help`: one screen of 24 lines by 80 columns, the names of the verbs in the order of the loop. */
export function programHelp(verbs: readonly ListedVerb[], { bold, dim }: Paint): string {
  const lines = ["Rollouts of a tool-using agent: is the number real, and which rows teach it?"];
  lines.push(`${bold("usage")}    wai VERB FILE... [flags], for a start: wai run rollouts.jsonl -o report`);
  lines.push(dim("         FILE: rollouts in any format, .gz too, a folder of them, or - for stdin"), "");
  for (const { chapter, question, members } of chapters(verbs)) {
    lines.push(`${bold(chapter.padEnd(NAME_COLUMN))}${question}`);
    lines.push(wrapped(`  ${members.map(({ name }) => name).join(" · ")}`, WIDTH));
  }
  lines.push(
    "",
    `${bold("help")}     wai help VERB: usage, examples, exits; wai help all: a line a verb`,
    `${bold("flags")}    --json   -o FILE   --no-gate   --quiet   --no-color   --version`,
    `${bold("exit")}     0 holds or done   1 does not hold   2 cannot tell   3 it failed`,
  );
  return lines.join("\n");
}

/** The chapters that have a verb, in the order of the loop. */
export function chapters<One extends { chapter: Chapter }>(
  verbs: readonly One[],
): { chapter: string; question: string; members: readonly One[] }[] {
  return Object.entries(CHAPTERS)
    .map(([chapter, question]) => ({
      chapter,
      question,
      members: verbs.filter((verb) => verb.chapter === chapter),
    }))
    .filter(({ members }) => members.length > 0);
}
