import type { ReactNode } from "react";

export function TrainingList(): ReactNode {
  return <h1>TrainingList</h1>;
}
