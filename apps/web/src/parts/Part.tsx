import type { ReactNode } from "react";

export interface PartProps {
  /** Also its place in the address: `#verdict`. */
  id: string;
  title: ReactNode;
  /** How to read what follows, for someone who knows statistics and not this product. */
  note?: ReactNode;
  /** The evidence takes the whole width, and head and note stand above it. */
  full?: boolean;
  children: ReactNode;
}

/** A section: a thin rule, a hanging head with a note on how to read, and the evidence. */
export function Part({ id, title, note, full = false, children }: PartProps): ReactNode {
  return (
    <section className={full ? "part full" : "part"} id={id} aria-labelledby={`${id}-h`}>
      <header className="hang">
        <h2 id={`${id}-h`}>{title}</h2>
        {note !== undefined && <div className="note">{note}</div>}
      </header>
      <div className="body">{children}</div>
    </section>
  );
}
