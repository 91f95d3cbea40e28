import type { ReactNode } from "react";
import { announce } from "../shell/announce.tsx";

/** Puts text on the clipboard and says so. */
export async function copy(text: string, what: string): Promise<void> {
  const done = (await written(text)) || copiedBySelection(text);
  announce(done ? `Copied ${what}.` : "The browser did not allow copying. Select the text and copy it.");
}

/** Over plain http, but for this computer itself, a browser has no clipboard; elsewhere a reader can forbid it. */
async function written(text: string): Promise<boolean> {
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard === undefined) return false;
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Copies as a reader would: by a selection. It stands inside an open dialog, as nothing outside of one can be selected. */
function copiedBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr";
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
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
