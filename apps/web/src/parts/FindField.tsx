import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useChoices } from "../use-search.ts";

export interface FindFieldProps {
  /** What is looked through: "Sets". */
  of: string;
  /** Where the words are looked for: "Words in the name". */
  label: string;
  /** The words in the address. */
  q: string | undefined;
}

/** Words that a list is narrowed by, in the address as `q`. Another search begins at the first page. `/` leads here. */
export function FindField({ of, label, q }: FindFieldProps): ReactNode {
  const [, choose] = useChoices();
  const [wanted, setWanted] = useState(q ?? "");
  useEffect(() => setWanted(q ?? ""), [q]);
  const find = (): void => {
    const words = wanted.trim() || undefined;
    // Leaving the field with the same words in it is no new search.
    if (words !== q) choose({ q: words, after: undefined });
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    find();
  };
  return (
    <search aria-label={of}>
      <form onSubmit={onSubmit}>
        <label>
          <span className="sr">{label}</span>
          <input
            id="find"
            className="field"
            type="search"
            placeholder={label.toLowerCase()}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            onBlur={find}
          />
        </label>
      </form>
    </search>
  );
}
