import { finishRun, getRun, listRuns, type RunDetail } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useSend } from "../../api/use-send.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";

/** Marks a run as stopped. Its trainer runs elsewhere, and ends only if it looks. */
export function StopRun({ run }: { run: RunDetail }): ReactNode {
  const [asking, setAsking] = useState(false);
  const stop = useSend(finishRun, {
    changes: [getRun, listRuns],
    done: () => {
      announce("The run is marked as stopped.");
      setAsking(false);
    },
  });
  return (
    <>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        Stop run…
      </button>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Mark this run as stopped?">
        <div className="prose">
          <p>
            The trainer runs where it was started, and this page cannot reach it: stop it there first. Here the run
            becomes <b>stopped</b>; its points stay, and a trainer that goes on may still add to them.
          </p>
          <Refused error={stop.error} />
          <div className="actions">
            <button
              type="button"
              className="button main"
              disabled={stop.isPending}
              onClick={() => stop.mutate({ params: { id: run.id }, body: { status: "stopped" } })}
            >
              Mark as stopped
            </button>
            <button type="button" className="button" onClick={() => setAsking(false)}>
              Let it run
            </button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
