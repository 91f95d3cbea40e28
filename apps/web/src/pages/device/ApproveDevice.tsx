import type { ReactNode } from "react";

export function ApproveDevice(): ReactNode {
  return <h1>ApproveDevice</h1>;
}
