import type { ReactNode } from "react";

export function RunsPage(): ReactNode {
  return <h1>RunsPage</h1>;
}
