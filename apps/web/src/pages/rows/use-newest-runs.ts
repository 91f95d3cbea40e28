import type { UseQueryResult } from "@tanstack/react-query";
import { listRuns, type RunList } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";

/** So many of an agent's runs, the newest, are looked at for rows: a list of a thousand is not read to offer a choice. */
export const LOOKED_AT = 100;

export function useNewestRuns(agent: string): UseQueryResult<RunList, Error> {
  return useAnswer(listRuns, { query: { agent, archived: false, limit: LOOKED_AT }, when: agent !== "" });
}
