import { getRows } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";

/** How many rows the sender said there would be; null when it did not say, or while that is read. */
export function useExpected(run: string, behavior: string): number | null {
  const answer = useAnswer(getRows, { params: { id: run, behavior }, query: { limit: 1 } });
  return answer.data?.expected ?? null;
}
