import type { ReactNode } from "react";

export function EvalsPage(): ReactNode {
  return <h1>EvalsPage</h1>;
}
