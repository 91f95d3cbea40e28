import { listRuns, type RunRow } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";
import { textsOf } from "../../search.ts";
import { announce } from "../../shell/announce.tsx";
import { useChoices } from "../../use-search.ts";
import { toggled } from "./compared.ts";
import { keepFor, useKept } from "./kept-view.ts";
import type { Report } from "./report.ts";

/** Runs that somebody may pin; the platform tells so many by their ids at once. */
const PINS_MOST = 8;

export interface Pins {
  /** The served version's run first. */
  pins: readonly string[];
  /** Pins a run above the others, or lets it go. */
  onPin: (run: string) => void;
}

/** The runs that stand above the others: they are in the address, and kept for each agent on this computer. */
export function usePins({ agent, dashboard, serving }: Report): Pins {
  const [search, choose] = useChoices();
  const served = dashboard.versions.find(({ v }) => v === serving)?.run ?? null;
  const kept = useKept(agent.id, "pins");
  const chosen = textsOf(search, "pin");
  const own = (chosen.length > 0 ? chosen : (kept ?? [])).slice(0, PINS_MOST);
  return {
    pins: [...(served === null ? [] : [served]), ...own.filter((id) => id !== served)],
    onPin: (run) => {
      if (run === served) return announce("The served run stands above the others anyway.");
      const next = toggled(own, run);
      if (next.length > PINS_MOST) return announce(`At most ${PINS_MOST} runs can be pinned.`);
      keepFor(agent.id, "pins", next);
      choose({ pin: next }, { keepPage: true, replace: true });
      announce(next.includes(run) ? "Pinned above the others." : "No longer pinned.");
    },
  };
}

/** The pinned runs, in their order; those that the page has not read are asked for. */
export function usePinned({ agent, runs }: Report, pins: readonly string[]): RunRow[] {
  const unread = pins.filter((id) => !runs.some((run) => run.id === id));
  const older = useAnswer(listRuns, { query: { agent: agent.id, ids: unread }, when: unread.length > 0 });
  const read = [...runs, ...(unread.length > 0 ? (older.data?.runs ?? []) : [])];
  return pins.flatMap((id) => read.find((run) => run.id === id) ?? []);
}
