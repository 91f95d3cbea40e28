import type { ReactNode } from "react";
import { Refusal } from "../api/refusal.ts";

export interface RefusedProps {
  error: Error | null;
  /** Sentences for what the platform answers with a bare word, by its code. */
  words?: Readonly<Record<string, string>>;
}

/** Why what was asked for did not happen, beside the button that asked. */
export function Refused({ error, words = {} }: RefusedProps): ReactNode {
  if (error === null) return null;
  const code = error instanceof Refusal ? error.code : "";
  return (
    <p className="refused" role="alert">
      {words[code] ?? error.message}
    </p>
  );
}
