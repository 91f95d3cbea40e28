import { getBrief, getRun, listRuns, NOTES_MAX, patchRun, type RunRow } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { useSend } from "../../api/use-send.ts";
import { whole } from "../../numbers.ts";
import { UntrustedMarkdown } from "../../parts/UntrustedMarkdown.tsx";
import { announce } from "../../shell/announce.tsx";

/** What somebody wrote of a run, in markdown, and the way to write it. */
export function RunNote({ run }: { run: RunRow }): ReactNode {
  const [draft, setDraft] = useState<string | null>(null);
  const save = useSend(patchRun, {
    changes: [getRun, listRuns, getBrief],
    done: () => {
      setDraft(null);
      announce("The note is kept.");
    },
  });
  const left = NOTES_MAX - Array.from(draft ?? "").length;
  return (
    <div>
      <h4>Note</h4>
      {draft === null ? (
        <>
          {run.notes ? (
            <UntrustedMarkdown text={run.notes} />
          ) : (
            <p className="small none">Nobody wrote what this run changed and what came of it.</p>
          )}
          <p className="small">
            <button type="button" className="plain" onClick={() => setDraft(run.notes ?? "")}>
              {run.notes ? "Change the note" : "Write a note"}
            </button>
          </p>
        </>
      ) : (
        <form
          className="prose"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({ params: { id: run.id }, body: { notes: draft.trim() === "" ? null : draft } });
          }}
        >
          <label className="small">
            <span className="quiet">Note, in markdown</span>
            <textarea className="field" rows={8} value={draft} onChange={(event) => setDraft(event.target.value)} />
          </label>
          <p className="choices">
            <button type="submit" className="button main" disabled={save.isPending || left < 0}>
              Keep the note
            </button>
            <button type="button" className="button" onClick={() => setDraft(null)}>
              Leave it
            </button>
            {left < 500 && <span className={left < 0 ? "bad" : "quiet"}>{whole(left)} characters left</span>}
          </p>
          {save.error !== null && (
            <p className="small bad" role="alert">
              {save.error.message}
            </p>
          )}
        </form>
      )}
    </div>
  );
}
