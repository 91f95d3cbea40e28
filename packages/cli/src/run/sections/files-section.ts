import { html, type PageSection } from "@while/stats";
import type { RunFile } from "../run-report.ts";
import { factsTable } from "./facts-table.ts";

/** What lies beside the page, and what the terminal said. */
export function filesSection(files: readonly RunFile[], text: string): PageSection {
  return {
    id: "files",
    head: "Files beside this page",
    body: [
      factsTable(files.map(({ name, about }) => [name, about] as const)),
      html`<details><summary>The run as text</summary><pre><code>${text}</code></pre></details>`,
    ],
  };
}
