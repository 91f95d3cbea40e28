/** What `wai init-evals` found, and what it wrote or would write. */
export interface InitReport {
  /** false for what would be written. */
  written: boolean;
  agent: string;
  runner: string;
  files: { path: string; about: string }[];
  removed: string[];
  /** Other things that look like an agent. */
  others: string[];
  /** Whether what the tasks expect is recorded by the first run. */
  records: boolean;
  next: string[];
}

const NAMED = 3;

/** The report as text: the agent, the files, and what to type next. */
export function formatInit({ written, agent, runner, files, removed, others, records, next }: InitReport): string {
  const column = Math.max(...files.map(({ path }) => path.length)) + 2;
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : "";
  return [
    `${written ? "an eval" : "this would write an eval"} of ${agent}, for ${runner}`,
    ...files.map(({ path, about }) => `  ${path.padEnd(column)}${about}`),
    ...removed.map((path) => `  ${path.padEnd(column)}${written ? "removed" : "would be removed"}: of the eval before`),
    ...(others.length === 0 ? [] : [`also found ${others.slice(0, NAMED).join(", ")}${more}: choose with --agent`]),
    ...(records
      ? ["its first run records what the agent does now; read it in evals/tasks.jsonl before you commit it"]
      : []),
    "next",
    ...next.map((command) => `  ${command}`),
  ].join("\n");
}
