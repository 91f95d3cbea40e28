import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Route } from "@while/platform-client/contract";
import { type CallOptions, call } from "./call.ts";
import { Refusal } from "./refusal.ts";

/** A refusal is an answer and is shown at once; only silence and overload are worth asking again. */
function worthAsking(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof Refusal && (error.status === 0 || error.status >= 500);
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, gcTime: 5 * 60_000, retry: worthAsking, refetchOnWindowFocus: true },
  },
});

export interface AnswerOptions<Query, Answer = never> extends Pick<CallOptions<null, Query>, "params" | "query"> {
  /** False asks for nothing yet. */
  when?: boolean;
  /** Milliseconds between two looks, for what changes by itself; a function where the last answer decides. */
  every?: number | false | ((answer: Answer | undefined) => number | false);
  /** Asked once and not again when the reader comes back: for a call that counts how often it is made. */
  once?: boolean;
}

/** The name under which an answer is kept: `invalidate` takes the first parts of it. */
export function answerKey(
  route: Route<never, never, never> | { id: string },
  options: AnswerOptions<unknown> = {},
): unknown[] {
  return [route.id, options.params ?? {}, options.query ?? {}];
}

/** The answer of a reading call: the last one is shown while a newer one comes, so that numbers never flash to nothing. */
export function useAnswer<Answer, Query>(
  route: Route<null, Answer, Query>,
  options: AnswerOptions<Query, Answer> = {},
): UseQueryResult<Answer, Error> {
  const { every = false } = options;
  return useQuery({
    queryKey: answerKey(route, options),
    queryFn: ({ signal }) => call(route, { ...options, signal } as CallOptions<null, Query>),
    enabled: options.when ?? true,
    refetchInterval: typeof every === "function" ? ({ state }) => every(state.data) : every,
    ...(options.once === true ? { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } : {}),
    placeholderData: keepPreviousData,
  });
}

/** Forgets what was answered to these calls, so that what is on the page is asked again. */
export async function askAgain(...routes: readonly { id: string }[]): Promise<void> {
  await Promise.all(routes.map(({ id }) => queryClient.invalidateQueries({ queryKey: [id] })));
}
