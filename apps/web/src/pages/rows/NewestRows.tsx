import type { ReactNode } from "react";

export function NewestRows(): ReactNode {
  return <h1>NewestRows</h1>;
}
