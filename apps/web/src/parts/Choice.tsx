import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { EXACTLY, type Search } from "../search.ts";

export interface ChoiceProps {
  /** Its key in the address. */
  name: string;
  now: string;
  /** The first is the one without a word in the address. */
  choices: readonly { value: string; label: string }[];
  /** Keys of the address that another choice takes back: the page one is on. */
  resets?: readonly string[];
}

/** One of a few ways to look, each a link that reproduces it. */
export function Choice({ name, now, choices, resets = [] }: ChoiceProps): ReactNode {
  return (
    <p className="choices">
      {choices.map(({ value, label }, place) => (
        <Link
          key={value}
          to="."
          activeOptions={EXACTLY}
          search={((before: Search) => withChoice(before, name, place === 0 ? undefined : value, resets)) as never}
          resetScroll={false}
          aria-current={value === now ? "true" : undefined}
        >
          {label}
        </Link>
      ))}
    </p>
  );
}

function withChoice(before: Search, name: string, value: string | undefined, resets: readonly string[]): Search {
  return { ...before, ...Object.fromEntries(resets.map((key) => [key, undefined])), [name]: value };
}
