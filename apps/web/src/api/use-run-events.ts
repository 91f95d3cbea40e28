import { fillPath, runEvents } from "@while/platform-client/contract";
import { useEffect, useRef } from "react";

/** What the platform tells of a run while it happens. */
type RunEvent = "point" | "score" | "status" | "alarm";

const EVENTS: readonly RunEvent[] = ["point", "score", "status", "alarm"];

export interface RunEventsOptions {
  /** False listens to nothing. */
  when: boolean;
  /** Told what came, at most once in so many milliseconds: a trainer may log a hundred points a second. */
  onEvents: (events: ReadonlySet<RunEvent>) => void;
  everyMs?: number;
}

/** Listens to a run; the browser connects again by itself, and goes on where it was. */
export function useRunEvents(run: string | null, { when, onEvents, everyMs = 1000 }: RunEventsOptions): void {
  const tell = useRef(onEvents);
  tell.current = onEvents;
  useEffect(() => {
    if (run === null || !when) return;
    const source = new EventSource(`${fillPath(runEvents.path, { id: run })}?after=now`);
    let waiting: ReturnType<typeof setTimeout> | null = null;
    let came = new Set<RunEvent>();
    const flush = (): void => {
      waiting = null;
      const told = came;
      came = new Set();
      tell.current(told);
    };
    for (const name of EVENTS) {
      source.addEventListener(name, () => {
        came.add(name);
        waiting ??= setTimeout(flush, everyMs);
      });
    }
    return () => {
      source.close();
      if (waiting !== null) clearTimeout(waiting);
    };
  }, [run, when, everyMs]);
}
