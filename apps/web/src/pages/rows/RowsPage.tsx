import type { ReactNode } from "react";

export function RowsPage(): ReactNode {
  return <h1>RowsPage</h1>;
}
