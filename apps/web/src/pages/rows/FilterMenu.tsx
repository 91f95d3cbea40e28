import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

export interface FilterMenuProps {
  /** What is chosen now. */
  summary: ReactNode;
  /** Drawn while it is open. */
  children: (close: () => void) => ReactNode;
}

/** A filter that opens under its own words, and closes by Escape or by going elsewhere. */
export function FilterMenu({ summary, children }: FilterMenuProps): ReactNode {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);
  const close = (): void => {
    setOpen(false);
    box.current?.querySelector("summary")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <details
      ref={box}
      className="tagpick"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={onKeyDown}
    >
      <summary>{summary}</summary>
      {open && children(close)}
    </details>
  );
}
