import { getRows, getRowsSummary, type RowsQuery, type RunDetail } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { call } from "../../api/call.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { CopyButton, copy } from "../../parts/CopyButton.tsx";
import { download } from "../../parts/csv.ts";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { allPages, rowsAsCsv, rowsAsJsonl } from "./export-rows.ts";
import { COPIED, failuresForAgent } from "./failures-for-agent.ts";
import { filterWords, queryOf, type RowFilters } from "./row-filters.ts";
import { EXPORT_ROWS } from "./row-pages.ts";

export interface RowActionsProps {
  run: RunDetail;
  behavior: string;
  filters: RowFilters;
  /** Tags that any of the rows has: the columns of a CSV. */
  tags: readonly string[];
}

/** Takes the rows that the filters leave along: the first failures for an agent, all of them as a file. */
export function RowActions({ run, behavior, filters, tags }: RowActionsProps): ReactNode {
  const params = { id: run.id, behavior };
  const failures = { ...filters, graded: "failed" as const };
  const failed = useAnswer(getRowsSummary, { params, query: queryOf({ ...filters, graded: "all" }) }).data?.failed ?? 0;
  const shown = Math.min(COPIED, failed);
  const text = async (): Promise<string> => {
    const { rows, total } = await call(getRows, { params, query: { ...queryOf(failures), limit: COPIED } });
    return failuresForAgent(rows, {
      ...{ agent: run.agent ?? "", version: run.version, run: run.id, behavior, total },
      filters: filterWords(failures),
    });
  };
  const what = shown === 1 ? "1 failure" : `${shown} failures`;
  useKeys(
    shown === 0
      ? []
      : [
          {
            keys: "c",
            says: `copy ${what} for an agent`,
            run: () => void text().then((said) => copy(said, what), sayFailure),
          },
        ],
  );
  return (
    <div className="actions taking">
      {shown > 0 && (
        <CopyButton text={text} what={what} className="button">
          Copy {what} for agent{" "}
          <span className="key wide-only" aria-hidden="true">
            c
          </span>
        </CopyButton>
      )}
      <ExportButton kind="JSONL" run={run} behavior={behavior} filters={filters} tags={tags} />
      <ExportButton kind="CSV" run={run} behavior={behavior} filters={filters} tags={tags} />
    </div>
  );
}

function sayFailure(error: unknown): void {
  announce(error instanceof Error ? error.message : String(error));
}

const TYPES = { JSONL: "application/x-ndjson", CSV: "text/csv" } as const;

/** Every row that the filters leave as a file, read page by page; pressed again it stops. */
function ExportButton({
  kind,
  run,
  behavior,
  filters,
  tags,
}: RowActionsProps & { kind: keyof typeof TYPES }): ReactNode {
  const [progress, setProgress] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const save = async (): Promise<void> => {
    const control = new AbortController();
    stop.current = control;
    const query: RowsQuery = { ...queryOf(filters), limit: EXPORT_ROWS };
    if (filters.byScore) query.sort = "score";
    const parts: string[] = [];
    let n = 0;
    setProgress("0");
    try {
      const pages = allPages((cursor) =>
        call(getRows, { params: { id: run.id, behavior }, query: { ...query, cursor }, signal: control.signal }),
      );
      for await (const { rows, total } of pages) {
        parts.push(kind === "JSONL" ? rowsAsJsonl(rows) : rowsAsCsv(rows, tags, { first: n === 0 }));
        n += rows.length;
        setProgress(`${whole(n)} of ${whole(total)}`);
      }
      const name = `${run.id}-${behavior}${filters.graded === "all" ? "" : `-${filters.graded}`}.${kind.toLowerCase()}`;
      download(name, new Blob(parts, { type: TYPES[kind] }));
      announce(`Saved ${whole(n)} rows as ${kind}.`);
    } catch (error) {
      announce(control.signal.aborted ? "Stopped. No file was saved." : String((error as Error).message));
    } finally {
      setProgress(null);
    }
  };
  return (
    <button
      type="button"
      className="button"
      onClick={() => (progress === null ? void save() : stop.current?.abort())}
      title={progress === null ? `All rows that the filters leave, as ${kind}` : "Stop"}
    >
      {kind}
      {progress !== null && `, ${progress}`}
    </button>
  );
}
