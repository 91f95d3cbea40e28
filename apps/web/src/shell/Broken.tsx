import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failed } from "../parts/Answered.tsx";

/** A page that could not be drawn says why and loses nothing but itself. */
export function Broken({ error, reset }: ErrorComponentProps): ReactNode {
  return <Failed error={error instanceof Error ? error : new Error(String(error))} what="this page" retry={reset} />;
}

export function NotFound(): ReactNode {
  return (
    <main className="page failed">
      <h1>No such page</h1>
      <p>
        Nothing is at this address. <Link to="/platform/runs">Go to Runs</Link>
      </p>
    </main>
  );
}
