import { numericTag } from "@while/platform-client/rules";
import { type FormEvent, type ReactNode, useState } from "react";
import { number } from "../../numbers.ts";
import { useChoices } from "../../use-search.ts";
import { FilterMenu } from "./FilterMenu.tsx";
import { type Range, rangeWords, readFilters, withRange } from "./row-filters.ts";

export interface RangePickProps {
  /** Null is the score of the row. */
  tag: string | null;
  /** The least and the most that there is. */
  ends: { min: number; max: number };
}

/** From which number to which: for a score, and for a tag that is a measure. */
export function RangePick({ tag, ends }: RangePickProps): ReactNode {
  const [search, choose] = useChoices();
  const filters = readFilters(search);
  const range = (tag === null ? filters.score : filters.ranges.get(tag)) ?? null;
  const name = tag ?? "score";
  return (
    <FilterMenu
      summary={
        range === null ? (
          <>
            any <bdi>{name}</bdi>
          </>
        ) : (
          <>
            <bdi>{name}</bdi>: {rangeWords(range)}
          </>
        )
      }
    >
      {(close) => (
        <Ends
          name={name}
          range={range}
          ends={ends}
          onChoose={(chosen) => {
            choose(withRange(search, tag, chosen));
            close();
          }}
        />
      )}
    </FilterMenu>
  );
}

interface EndsProps {
  name: string;
  range: Range | null;
  ends: { min: number; max: number };
  onChoose: (range: Range | null) => void;
}

function Ends({ name, range, ends, onChoose }: EndsProps): ReactNode {
  const [from, setFrom] = useState(range?.min == null ? "" : String(range.min));
  const [to, setTo] = useState(range?.max == null ? "" : String(range.max));
  const wrong = [from, to].find((end) => end.trim() !== "" && numericTag(end) === null);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const [min, max] = [numericTag(from), numericTag(to)];
    if (wrong === undefined) onChoose(min === null && max === null ? null : { min, max });
  };
  return (
    <form className="tagvalues" onSubmit={onSubmit} aria-label={`Range of ${name}`}>
      <p className="range">
        <label>
          from{" "}
          <input
            className="field"
            inputMode="decimal"
            autoComplete="off"
            placeholder={number(ends.min)}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        </label>
        <label>
          to{" "}
          <input
            className="field"
            inputMode="decimal"
            autoComplete="off"
            placeholder={number(ends.max)}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </label>
      </p>
      {wrong !== undefined && (
        <p className="refused" role="alert">
          “{wrong}” is no number.
        </p>
      )}
      <p className="choices">
        <button type="submit" className="plain">
          Show these rows
        </button>
        {range !== null && (
          <button type="button" className="plain" onClick={() => onChoose(null)}>
            any {name}
          </button>
        )}
      </p>
    </form>
  );
}
