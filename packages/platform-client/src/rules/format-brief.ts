import type { Brief, Step } from "../contract/verdict.ts";

/** The brief for a terminal: its parts indented, the page last. */
export function formatBrief({ agent, url, happened, means, next, readable }: Brief): string {
  const steps = (list: readonly Step[]) => list.map(({ say, cmd }, i) => `  ${i + 1}. ${say}\n     ${cmd}`);
  return [
    agent,
    "What happened",
    ...happened.map((line) => `  ${line}`),
    "What it means",
    `  ${means}`,
    "Do next",
    ...steps(next),
    ...(readable.length === 0 ? [] : ["What a person cannot read yet", ...steps(readable)]),
    ...(url === "" ? [] : [url]),
  ].join("\n");
}

/** The brief as markdown: what "copy for agent" copies. */
export function formatBriefMarkdown({ agent, url, happened, means, next, readable }: Brief): string {
  const steps = (list: readonly Step[]) => list.map(({ say, cmd }, i) => `${i + 1}. ${say}\n   \`${cmd}\``);
  return [
    `# ${agent}${url === "" ? "" : ` on ${url}`}`,
    "## What happened",
    happened.map((line) => `- ${line}`).join("\n"),
    "## What it means",
    means,
    "## Do next",
    steps(next).join("\n"),
    ...(readable.length === 0 ? [] : ["## What a person cannot read yet", steps(readable).join("\n")]),
  ]
    .join("\n\n")
    .concat("\n");
}
