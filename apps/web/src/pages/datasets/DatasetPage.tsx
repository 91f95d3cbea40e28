import type { ReactNode } from "react";

export function DatasetPage(): ReactNode {
  return <h1>DatasetPage</h1>;
}
