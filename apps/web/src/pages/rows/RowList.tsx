import { useWindowVirtualizer } from "@tanstack/react-virtual";
import type { Example, RunDetail } from "@while/platform-client/contract";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useChoices } from "../../use-search.ts";
import { markedPlaces, withMark } from "./marked-rows.ts";
import { OpenRow } from "./OpenRow.tsx";
import { RowLine } from "./RowLine.tsx";
import { PAGE_ROWS, pageOf } from "./row-pages.ts";
import { useHand } from "./use-hand.ts";

export interface RowListProps {
  run: RunDetail;
  behavior: string;
  /** One page of them. */
  rows: readonly Example[];
  /** Beside each row, its place in the set. */
  places: readonly number[] | null;
  /** Beside each row, how every rollout of its task was graded. */
  siblings: readonly (readonly boolean[])[] | null;
  total: number;
  page: number;
  stale: boolean;
  /** Place of the open row in the filtered list, from 1. */
  open: number | null;
}

/** Height of a row before it is measured, in pixels. */
const ROW_HEIGHT = 78;
const COLUMNS = 5;

/**
 * Rows as a table of which only what is near the window is drawn. The open row lies under its own line; `[` and `]` go
 * through the list that the filters leave, over the ends of its pages.
 */
export function RowList({ run, behavior, rows, places, siblings, total, page, stale, open }: RowListProps): ReactNode {
  const [search, choose] = useChoices();
  const marked = markedPlaces(search);
  const mark = (place: number): void => {
    choose(withMark(search, place), { keepPage: true, replace: true });
    announce(marked.includes(place) ? "The mark is taken off." : "Marked.");
  };
  const first = (page - 1) * PAGE_ROWS + 1;
  const table = useRef<HTMLTableElement>(null);
  const margin = usePageTop(table);
  const printing = usePrinting();
  const list = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: margin,
    getItemKey: (index) => first + index,
  });
  const toggle = (place: number): void => {
    if (open !== place) choose({ row: String(place), page: undefined }, { keepPage: true, replace: open !== null });
    // Closing is no step of its own: Back goes to what was before it was opened, and does not open it again.
    else choose({ row: undefined, page: page > 1 ? String(page) : undefined }, { keepPage: true, replace: true });
  };
  const hand = useHand({
    ...{ first, count: rows.length, total, stale },
    idOf: (place) => `open-row-${place}`,
    bring: (index) => list.scrollToIndex(index, { align: "auto" }),
  });
  const step = (by: number): void => {
    if (open === null) return;
    const place = open + by;
    if (place < 1 || place > total) return;
    hand.take(place);
    choose({ row: String(place), page: undefined }, { keepPage: true, replace: true });
  };
  const move = (by: number): void => {
    const from = hand.place ?? open ?? (by > 0 ? first - 1 : first + rows.length);
    const place = Math.max(1, Math.min(total, from + by));
    hand.take(place);
    if (pageOf(place) !== page) choose({ row: undefined, page: String(pageOf(place)) }, { keepPage: true });
  };
  useKeys([
    { keys: "j", says: "next row", run: () => move(1) },
    { keys: "k", says: "row before", run: () => move(-1) },
    { keys: "Enter", says: "open or close the row", run: () => toggle(hand.place ?? open ?? first) },
    { keys: "]", says: "open the next row of the filtered list", run: () => step(1) },
    { keys: "[", says: "open the row before in the filtered list", run: () => step(-1) },
    {
      keys: "x",
      says: "mark the row, to hold it beside others",
      run: () => {
        const place = places?.[(hand.place ?? open ?? first) - first];
        if (place !== undefined && !stale) mark(place);
      },
    },
    ...(open === null ? [] : [{ keys: "Escape", says: "close the row", run: () => toggle(open) }]),
  ]);
  const items = printing
    ? rows.map((_, index) => ({ index, start: 0, end: 0 }))
    : list.getVirtualItems().filter(({ index }) => index < rows.length);
  const before = printing || items.length === 0 ? 0 : items[0]!.start - margin;
  const after = printing || items.length === 0 ? 0 : list.getTotalSize() - (items.at(-1)!.end - margin);
  return (
    <table className="rows" ref={table} aria-rowcount={total + 1} aria-busy={stale}>
      <caption className="sr">
        Rows {first} to {first + rows.length - 1} of {total}
      </caption>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">graded</th>
          <th scope="col">row</th>
          <th scope="col">asked, answered</th>
          <th scope="col">why</th>
          <th scope="col" className="wide-only">
            tags
          </th>
        </tr>
      </thead>
      <Room height={before} />
      {items.map(({ index }) => {
        const place = first + index;
        const isOpen = !stale && open === place;
        return (
          <tbody key={place} data-index={index} ref={printing ? null : list.measureElement}>
            <RowLine
              row={rows[index]!}
              place={place}
              rollouts={siblings?.[index] ?? null}
              open={isOpen}
              inHand={hand.place === place}
              marked={places !== null && marked.includes(places[index]!)}
              onToggle={() => toggle(place)}
              onFocus={() => hand.touch(place)}
            />
            {isOpen && (
              <tr className="open" id={`row-${place}`}>
                <td colSpan={COLUMNS}>
                  <OpenRow
                    run={run}
                    behavior={behavior}
                    row={rows[index]!}
                    rollouts={siblings?.[index] ?? null}
                    marked={places !== null && marked.includes(places[index]!)}
                    onMark={places === null ? null : () => mark(places[index]!)}
                    before={place > 1 ? () => step(-1) : null}
                    after={place < total ? () => step(1) : null}
                  />
                </td>
              </tr>
            )}
          </tbody>
        );
      })}
      <Room height={after} />
    </table>
  );
}

/** Stands for rows that are not drawn. */
function Room({ height }: { height: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tbody className="room" aria-hidden="true">
      <tr>
        <td colSpan={COLUMNS} style={{ height }} />
      </tr>
    </tbody>
  );
}

/** Where an element begins on the page, in pixels, as what is above it changes. */
function usePageTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = element.current?.getBoundingClientRect();
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

/** True while the page is printed: then every row of the page of the list is drawn. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const media = window.matchMedia("print");
    const change = (): void => setPrinting(media.matches);
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return printing;
}
