import type { ReactNode } from "react";
import { announce } from "../shell/announce.tsx";

/** Puts text on the clipboard and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
  } catch {
    announce("The browser did not allow copying. Select the text and copy it.");
  }
}

export interface CopyButtonProps {
  /** The text, or what makes it when it is asked for. */
  text: string | (() => string | Promise<string>);
  /** What is copied, as it is said afterwards: "the call". */
  what: string;
  className?: string;
  children?: ReactNode;
}

export function CopyButton({ text, what, className = "plain", children = "Copy" }: CopyButtonProps): ReactNode {
  // A button whose own words say what it copies is called by them: who speaks to the page says what stands there.
  const name = children === "Copy" ? `Copy ${what}` : undefined;
  const onClick = async (): Promise<void> => copy(typeof text === "string" ? text : await text(), what);
  return (
    <button type="button" className={className} onClick={() => void onClick()} aria-label={name}>
      {children}
    </button>
  );
}
