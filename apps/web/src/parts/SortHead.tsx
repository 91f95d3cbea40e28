import type { ReactNode } from "react";

export interface Sorting {
  by: string;
  down: boolean;
}

/** A sort as it stands in the address: `-score` begins with the largest. */
export function readSort(text: string | undefined, otherwise: string): Sorting {
  const sort = text ?? otherwise;
  return sort.startsWith("-") ? { by: sort.slice(1), down: true } : { by: sort, down: false };
}

export interface SortHeadProps {
  name: string;
  sorting: Sorting;
  /** Gets the sort as it stands in the address. */
  onSort: (sort: string) => void;
  className?: string;
  children: ReactNode;
}

/** The head of a column that sorts: first from the largest, then from the smallest. */
export function SortHead({ name, sorting, onSort, className, children }: SortHeadProps): ReactNode {
  const mine = sorting.by === name;
  const direction = mine ? (sorting.down ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(mine && sorting.down ? name : `-${name}`)}>
        {children}
      </button>
    </th>
  );
}
