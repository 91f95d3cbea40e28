import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { EXACTLY, type Search } from "../search.ts";

export interface ChoiceProps {
  /** Its key in the address. */
  name: string;
  now: string;
  /** The first is the one without a word in the address. */
  choices: readonly { value: string; label: string }[];
}

/** One of a few ways to look, each a link that reproduces it. */
export function Choice({ name, now, choices }: ChoiceProps): ReactNode {
  return (
    <p className="choices">
      {choices.map(({ value, label }, place) => (
        <Link
          key={value}
          to="."
          activeOptions={EXACTLY}
          search={((before: Search) => ({ ...before, [name]: place === 0 ? undefined : value })) as never}
          resetScroll={false}
          aria-current={value === now ? "true" : undefined}
        >
          {label}
        </Link>
      ))}
    </p>
  );
}
