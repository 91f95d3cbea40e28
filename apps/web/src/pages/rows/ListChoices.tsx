import type { RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { ViewLink } from "../../parts/ViewLink.tsx";
import { choiceOf, type Search, textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { FlipsPick } from "./FlipsPick.tsx";
import { OTHER_ROWS } from "./row-filters.ts";

/** What a line of the list is. */
export const LISTED_BY = ["row", "task"] as const;

const ORDERS = {
  row: [
    { sort: undefined, name: "as posted" },
    { sort: "score", name: "lowest score first" },
  ],
  task: [
    { sort: undefined, name: "as posted" },
    { sort: "passed", name: "least passed first" },
    { sort: "agreement", name: "least agreed first" },
  ],
} as const;

export interface ListChoicesProps {
  run: RunDetail;
  behavior: string;
}

/** By row or by task, in which order, or against another version. */
export function ListChoices({ run, behavior }: ListChoicesProps): ReactNode {
  const [search] = useChoices();
  const by = choiceOf(search, "by", LISTED_BY);
  const sort = textOf(search, "sort");
  const known = ORDERS[by].some((order) => order.sort === sort);
  return (
    <span className="choices">
      {LISTED_BY.map((one) => (
        <ViewLink
          key={one}
          search={(before: Search) => ({
            ...{ ...before, ...OTHER_ROWS, sort: undefined },
            by: one === LISTED_BY[0] ? undefined : one,
          })}
          current={by === one}
        >
          by {one}
        </ViewLink>
      ))}
      <span aria-hidden="true">·</span>
      {ORDERS[by].map((order) => (
        <ViewLink
          key={order.name}
          search={(before: Search) => ({ ...before, ...OTHER_ROWS, sort: order.sort })}
          current={known ? order.sort === sort : order.sort === undefined}
        >
          {order.name}
        </ViewLink>
      ))}
      <FlipsPick run={run} behavior={behavior} />
      <span>boxes: the rollouts of the task, hollow failed</span>
    </span>
  );
}
