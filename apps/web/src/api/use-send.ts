import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import type { Route } from "@while/platform-client/contract";
import { type CallOptions, call } from "./call.ts";
import { askAgain } from "./use-answer.ts";

/** A call that changes something; afterwards what `changes` names is asked again. */
export function useSend<Body, Answer, Query>(
  route: Route<Body, Answer, Query>,
  { changes = [], done }: { changes?: readonly { id: string }[]; done?: (answer: Answer) => void } = {},
): UseMutationResult<Answer, Error, CallOptions<Body, Query>> {
  return useMutation({
    mutationFn: (options: CallOptions<Body, Query>) => call(route, options),
    onSuccess: async (answer) => {
      await askAgain(...changes);
      done?.(answer);
    },
  });
}
