import type { ReactNode } from "react";

export function DatasetsPage(): ReactNode {
  return <h1>DatasetsPage</h1>;
}
