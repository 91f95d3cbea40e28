import { type ReactNode, useSyncExternalStore } from "react";

let said = "";
const listeners = new Set<() => void>();

/** Says it to who cannot see that a button did its work. The same words again are said again. */
export function announce(words: string): void {
  // A screen reader reads what changed: a no-break space more makes the same words new.
  said = words === said ? `${words}\u00a0` : words;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer(): ReactNode {
  const words = useSyncExternalStore(subscribe, () => said);
  return (
    <p className="sr" role="status" aria-live="polite">
      {words}
    </p>
  );
}
