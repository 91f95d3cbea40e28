import type { ReactNode } from "react";

export function SignIn(): ReactNode {
  return <h1>SignIn</h1>;
}
