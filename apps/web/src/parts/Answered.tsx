import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Refusal } from "../api/refusal.ts";
import { age } from "../numbers.ts";
import { CopyButton } from "./CopyButton.tsx";

export interface AnsweredProps<Answer> {
  of: UseQueryResult<Answer, Error>;
  /** What is being read: "runs", "the rows". */
  what: string;
  /** Head of the page where all of it waits for this answer, so that it has one before and without it. */
  head?: string;
  children: (answer: Answer) => ReactNode;
}

/** What came back, drawn; while it comes a quiet line; when it does not, why, beside the last that came. */
export function Answered<Answer>({ of, what, head, children }: AnsweredProps<Answer>): ReactNode {
  const { data, error, isPending, dataUpdatedAt } = of;
  if (data !== undefined) {
    return (
      <>
        {error !== null && (
          <div className="stale" role="status">
            <p>
              As of {age(dataUpdatedAt)}: {error.message}
            </p>
            <button type="button" className="plain" onClick={() => void of.refetch()}>
              Try again
            </button>
          </div>
        )}
        {children(data)}
      </>
    );
  }
  return (
    <>
      {head !== undefined && (
        <div className="title">
          <h1>{head}</h1>
        </div>
      )}
      {isPending ? <Waiting what={what} /> : <Failed error={error} what={what} retry={() => void of.refetch()} />}
    </>
  );
}

export function Waiting({ what }: { what: string }): ReactNode {
  return (
    <p className="waiting quiet" role="status">
      Reading {what} …
    </p>
  );
}

/** The platform's own words, a way to try again, and what an operator needs to find it. */
export function Failed({ error, what, retry }: { error: Error | null; what: string; retry?: () => void }): ReactNode {
  const id = error instanceof Refusal ? error.requestId : null;
  const said = error?.message ?? "No reason was given.";
  return (
    <div className="failed" role="alert">
      {/* No heading: it may stand in a part of the page, or in place of all of them. */}
      <p>
        <b>Could not read {what}</b>
      </p>
      <p>{said}</p>
      <p className="choices">
        {retry !== undefined && (
          <button type="button" className="plain" onClick={retry}>
            Try again
          </button>
        )}
        <CopyButton text={`${said}${id === null ? "" : `\nrequest ${id}`}`} what="the message">
          Copy the message
        </CopyButton>
        {id !== null && <span className="faint">request {id}</span>}
      </p>
    </div>
  );
}
