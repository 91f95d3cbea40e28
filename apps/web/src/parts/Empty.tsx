import type { ReactNode } from "react";
import { Code } from "./Code.tsx";

export interface EmptyProps {
  /** What is not there: "No scores yet". */
  title: string;
  /** What will appear here, and why it is empty. */
  children: ReactNode;
  /** The call that fills it, by language. */
  code?: string | Readonly<Record<string, string>>;
  /** It is all that the page has, and not a part of it. */
  alone?: boolean;
}

/** An empty place says what will stand there and gives the call that fills it. */
export function Empty({ title, children, code, alone = false }: EmptyProps): ReactNode {
  return (
    <div className="empty">
      {alone ? <h2>{title}</h2> : <h3>{title}</h3>}
      <div className="prose small">{children}</div>
      {code !== undefined && <Code code={code} />}
    </div>
  );
}
