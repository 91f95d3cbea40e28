import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { whole } from "../../numbers.ts";
import { useChoices } from "../../use-search.ts";
import { readFilters, withTag } from "./row-filters.ts";
import { useTagValues } from "./use-tag-values.ts";

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
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    box.current?.querySelector("summary")?.focus();
  };
  const [first, ...more] = chosen;
  return (
    <details
      ref={box}
      className="tagpick"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={onKeyDown}
    >
      <summary>
        {first === undefined ? (
          <>
            any <bdi>{tag}</bdi>
          </>
        ) : (
          <>
            <bdi>{tag}</bdi>: <bdi>{first}</bdi>
            {more.length > 0 && ` or ${more.length} more`}
          </>
        )}
      </summary>
      {open && (
        <Values
          run={run}
          behavior={behavior}
          tag={tag}
          chosen={chosen}
          toggle={(value) => choose(withTag(search, tag, value))}
        />
      )}
    </details>
  );
}

interface ValuesProps extends TagPickProps {
  chosen: readonly string[];
  toggle: (value: string) => void;
}

function Values({ run, behavior, tag, chosen, toggle }: ValuesProps): ReactNode {
  const counted = useTagValues(run, behavior, tag) ?? [];
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
