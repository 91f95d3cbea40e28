import type { ReactNode } from "react";

export function TrainingPage(): ReactNode {
  return <h1>TrainingPage</h1>;
}
