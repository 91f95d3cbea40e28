import { type ReactNode, useId, useState } from "react";
import { whole } from "../../numbers.ts";
import { useChoices } from "../../use-search.ts";
import { valuesOf } from "./breakdown.ts";
import { FilterMenu } from "./FilterMenu.tsx";
import { readFilters, withTag } from "./row-filters.ts";
import { useTagCounts } from "./use-tag-counts.ts";

/** More values than that are looked up by a part of their name. */
const SHOWN = 100;

export interface TagPickProps {
  run: string;
  behavior: string;
  tag: string;
}

/** Any of the values of one tag: a list that opens, with a box for each. */
export function TagPick({ run, behavior, tag }: TagPickProps): ReactNode {
  const [search, choose] = useChoices();
  const chosen = readFilters(search).tags.get(tag) ?? [];
  const [first, ...more] = chosen;
  return (
    <FilterMenu
      summary={
        first === undefined ? (
          <>
            any <bdi>{tag}</bdi>
          </>
        ) : (
          <>
            <bdi>{tag}</bdi>: <bdi>{first}</bdi>
            {more.length > 0 && ` or ${more.length} more`}
          </>
        )
      }
    >
      {() => (
        <Values
          run={run}
          behavior={behavior}
          tag={tag}
          chosen={chosen}
          toggle={(value) => choose(withTag(search, tag, value))}
        />
      )}
    </FilterMenu>
  );
}

interface ValuesProps extends TagPickProps {
  chosen: readonly string[];
  toggle: (value: string) => void;
}

function Values({ run, behavior, tag, chosen, toggle }: ValuesProps): ReactNode {
  const counted = valuesOf(useTagCounts(run, behavior, tag) ?? {}, null);
  const [part, setPart] = useState("");
  const id = useId();
  // What is chosen can be given back, also where other filters leave no row of it.
  const gone = chosen.filter((value) => !counted.some((one) => one.value === value));
  const all = [...gone.map((value) => ({ value, n: 0 })), ...counted];
  const found = all.filter(({ value }) => value.toLowerCase().includes(part.trim().toLowerCase()));
  return (
    <fieldset className="tagvalues">
      <legend className="sr">Values of {tag}</legend>
      {all.length > 12 && (
        <>
          <label className="sr" htmlFor={id}>
            Part of a value of {tag}
          </label>
          <input
            id={id}
            className="field"
            placeholder="part of a value"
            value={part}
            onChange={(event) => setPart(event.target.value)}
          />
        </>
      )}
      {found.slice(0, SHOWN).map(({ value, n }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} /> <bdi>{value}</bdi>{" "}
          <span className="faint">{whole(n)}</span>
        </label>
      ))}
      {found.length === 0 && <p className="none">No value has that in it.</p>}
      {found.length > SHOWN && <p className="note">{whole(found.length - SHOWN)} more: write a part of the value.</p>}
    </fieldset>
  );
}
