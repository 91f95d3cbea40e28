import { type Dataset, previewDataset } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { call } from "../../api/call.ts";
import { answerKey, queryClient } from "../../api/use-answer.ts";
import { CopyButton, copy } from "../../parts/CopyButton.tsx";
import { SaveTable } from "../../parts/SaveTable.tsx";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { readGate } from "./gate-reading.ts";
import { SET_COLUMNS, setCells } from "./set-table.ts";
import { COPIED_SETS, setsForAgent, setsToMind } from "./sets-for-agent.ts";

const WHAT = "the warnings for an agent";

/** Takes the list along: what is to be minded for an agent, and the table as a file. */
export function SetActions({ sets }: { sets: readonly Dataset[] }): ReactNode {
  const { broken, warned } = setsToMind(sets);
  const minded = broken.length + warned.length > 0;
  const text = async (): Promise<string> => {
    const read = warned.slice(0, COPIED_SETS).map(async (set) => {
      const options = { params: { id: set.datasetId } };
      const { report } = await queryClient.fetchQuery({
        queryKey: answerKey(previewDataset, options),
        queryFn: () => call(previewDataset, options),
        staleTime: 60_000,
      });
      return { set, gate: readGate(report, set) };
    });
    return setsForAgent(broken, await Promise.all(read), Math.max(0, warned.length - COPIED_SETS));
  };
  useKeys(
    minded
      ? [
          {
            keys: "c",
            says: `copy ${WHAT}`,
            run: () =>
              void text().then(
                (said) => copy(said, WHAT),
                (error: Error) => announce(error.message),
              ),
          },
        ]
      : [],
  );
  return (
    <div className="actions taking">
      {minded && (
        <CopyButton className="button" text={text} what={WHAT}>
          Copy warnings for agent{" "}
          <span className="key wide-only" aria-hidden="true">
            c
          </span>
        </CopyButton>
      )}
      <SaveTable name="datasets" heads={SET_COLUMNS} rows={() => sets.map(setCells)} />
    </div>
  );
}
