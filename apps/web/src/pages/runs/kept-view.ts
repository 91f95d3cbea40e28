import { useSyncExternalStore } from "react";

/** What is kept of the table of runs for an agent on this computer. */
type Kept = "columns" | "pins";

const listeners = new Set<() => void>();

const nameOf = (agent: string, kept: Kept): string => `while-${kept}:${agent}`;

function read(agent: string, kept: Kept): string {
  try {
    return localStorage.getItem(nameOf(agent, kept)) ?? "";
  } catch {
    // A browser that keeps nothing shows the usual view.
    return "";
  }
}

/** What was last chosen for an agent on this computer; null when nothing was. */
export function useKept(agent: string, kept: Kept): string[] | null {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => read(agent, kept),
  );
  return text === "" ? null : text.split("\n");
}

export function keepFor(agent: string, kept: Kept, values: readonly string[]): void {
  try {
    localStorage.setItem(nameOf(agent, kept), values.join("\n"));
  } catch {
    // They hold in the address.
  }
  for (const listener of listeners) listener();
}
