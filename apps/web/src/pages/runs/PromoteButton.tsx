import type { PriceBook } from "@while/platform-client/contract";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { Waiting } from "../../parts/Answered.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import type { Report } from "./report.ts";

const PromoteGuard = lazy(() => import("./PromoteGuard.tsx").then(({ PromoteGuard }) => ({ default: PromoteGuard })));

interface PromoteButtonProps {
  report: Report;
  book: PriceBook | null;
}

/** Asks once before a version serves: what carries it, and what comes with it. */
export function PromoteButton({ report, book }: PromoteButtonProps): ReactNode {
  // The question is about the two that were shown when it was asked; the page behind may move on.
  const [asked, setAsked] = useState<PromoteButtonProps | null>(null);
  const close = (): void => setAsked(null);
  const why = useId();
  const { candidate, serving } = report;
  const refusal =
    candidate === null
      ? "No version is scored beside the served one."
      : candidate === serving
        ? `${candidate} serves, and it is the newest that is scored here.`
        : null;
  return (
    <>
      <button
        type="button"
        className="button main"
        disabled={refusal !== null}
        aria-describedby={refusal === null ? undefined : why}
        onClick={() => setAsked({ report, book })}
      >
        {candidate === null || candidate === serving ? "Promote" : `Promote ${candidate}…`}
      </button>
      {refusal !== null && (
        <span className="note" id={why}>
          {refusal}
        </span>
      )}
      <Dialog
        open={asked !== null}
        onClose={close}
        title={
          <>
            Serve <bdi>{asked?.report.candidate}</bdi>
            {asked?.report.serving != null && (
              <>
                {" "}
                instead of <bdi>{asked.report.serving}</bdi>
              </>
            )}
            ?
          </>
        }
      >
        {asked !== null && (
          <Suspense fallback={<Waiting what="what it rests on" />}>
            <PromoteGuard {...asked} onClose={close} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
