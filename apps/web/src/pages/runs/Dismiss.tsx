import { useMutation } from "@tanstack/react-query";
import {
  DESCRIPTION_MAX,
  type Dismissible,
  getBrief,
  getDashboard,
  getRun,
  listRuns,
  patchRun,
} from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { call } from "../../api/call.ts";
import { askAgain } from "../../api/use-answer.ts";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";
import styles from "./Dismiss.module.css";

/** Sends a reason, or null, for what is asked of some runs; all that asks for it is read again. */
function useDismissal(asked: Dismissible, runs: readonly string[]) {
  return useMutation({
    mutationFn: async (reason: string | null) => {
      for (const id of runs) await call(patchRun, { params: { id }, body: { dismiss: { [asked]: reason } } });
    },
    onSuccess: async (_, reason) => {
      await askAgain(getRun, listRuns, getBrief, getDashboard);
      announce(reason === null ? "It is asked for again." : "Dismissed; the reason is kept with the run.");
    },
  });
}

export interface DismissProps {
  asked: Dismissible;
  /** Runs of which it is no longer asked. */
  runs: readonly string[];
  /** What it is, for who hears the button alone: "hours and cost". */
  what: string;
}

/** Nobody needs to mend it: says why, once, and the reason stays with the run. */
export function Dismiss({ asked, runs, what }: DismissProps): ReactNode {
  const [reason, setReason] = useState<string | null>(null);
  const send = useDismissal(asked, runs);
  if (reason === null) {
    return (
      <button type="button" className="plain" onClick={() => setReason("")}>
        dismiss<span className="sr"> {what}</span>
      </button>
    );
  }
  return (
    <form
      className={styles.dismiss}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== "") send.mutate(reason.trim());
      }}
    >
      <label className="small">
        <span className="quiet">Why it may stay as it is</span>
        <input
          className="field"
          // The form stands where its button was.
          // biome-ignore lint/a11y/noAutofocus: it opens by the reader's own press
          autoFocus
          required
          maxLength={DESCRIPTION_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <span className="choices">
        <button type="submit" className="plain" disabled={reason.trim() === "" || send.isPending}>
          dismiss it
        </button>
        <button type="button" className="plain" onClick={() => setReason(null)}>
          leave it
        </button>
      </span>
      <Refused error={send.error} />
    </form>
  );
}

/** Takes a dismissal back. */
export function AskAgain({ asked, runs, what }: DismissProps): ReactNode {
  const send = useDismissal(asked, runs);
  return (
    <>
      <button type="button" className="plain" disabled={send.isPending} onClick={() => send.mutate(null)}>
        ask again<span className="sr"> for {what}</span>
      </button>
      <Refused error={send.error} />
    </>
  );
}
