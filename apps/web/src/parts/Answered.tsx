import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
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
  const { data, error, isPending, isFetching, isPlaceholderData, dataUpdatedAt } = of;
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
        {isFetching && <Renewing what={what} at={isPlaceholderData ? null : dataUpdatedAt} />}
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

/** Milliseconds that a newer answer may take before it is said that one is being read: most come at once. */
const PATIENCE_MS = 800;
/** Milliseconds after which an answer is old enough for its age to be said. */
const OLD_MS = 60_000;

/** Old data stays where it is while newer is read: this says so, and how old it is. It takes no room of its own. */
function Renewing({ what, at }: { what: string; at: number | null }): ReactNode {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!long) return null;
  return (
    <p className="renewing" role="status">
      {at !== null && at < Date.now() - OLD_MS ? `As of ${age(at)}; reading ${what} …` : `Reading ${what} …`}
    </p>
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
