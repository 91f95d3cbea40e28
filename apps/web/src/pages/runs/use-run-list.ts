import { listRuns, type RunList, type RunQuery } from "@while/platform-client/contract";
import { useRef } from "react";
import { call } from "../../api/call.ts";
import { answerKey, queryClient, useAnswer } from "../../api/use-answer.ts";
import { type CursorPage, useCursorPage, writePage } from "../../parts/cursor-page.ts";
import type { Search } from "../../search.ts";
import type { Choose } from "../../use-search.ts";

/** Runs on a page. */
export const PAGE_SIZE = 25;

/** The list that the open run is walked in. */
export interface WalkedList {
  /** Ids of the runs on this page, in its order. */
  ids: readonly string[];
  /** The run after or before this page, and the page it is on; null at the ends of the list. */
  beyond: (by: 1 | -1) => Promise<Search | null>;
}

export interface RunListPage {
  runs: ReturnType<typeof useAnswer<RunList, RunQuery>>;
  at: CursorPage;
  beyond: WalkedList["beyond"];
}

/** One page of the filtered runs, and the way over its edges. */
export function useRunList(choices: readonly [Search, Choose], filter: RunQuery): RunListPage {
  const next = useRef<string | null | undefined>(null);
  const at = useCursorPage(choices, next.current);
  const query = { ...filter, limit: PAGE_SIZE, cursor: at.cursor ?? null };
  const runs = useAnswer(listRuns, { query });
  next.current = runs.data?.nextCursor;
  const beyond = async (by: 1 | -1): Promise<Search | null> => {
    const page = at.page + by;
    const cursor = page < 1 ? undefined : at.begins(page);
    if (cursor === undefined) return null;
    const beside = { ...query, cursor };
    // Under the key that the page itself asks by: it is read once.
    const answer = await queryClient.fetchQuery({
      queryKey: answerKey(listRuns, { query: beside }),
      queryFn: ({ signal }) => call(listRuns, { query: beside, signal }),
    });
    const run = answer.runs.at(by === 1 ? 0 : -1);
    return run === undefined ? null : { run: run.id, page: writePage(page, cursor) };
  };
  return { runs, at, beyond };
}
