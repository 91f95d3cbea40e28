import { type ReactNode, useEffect, useId, useRef } from "react";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

/** A question over the page. The browser keeps the focus inside, and gives it back to what had it. */
export function Dialog({ open, onClose, title, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const head = useId();
  useEffect(() => {
    if (open && !dialog.current?.open) {
      dialog.current?.showModal();
      // Where there is something to type one begins there, and not at the button that closes.
      dialog.current?.querySelector("input")?.focus();
    }
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={head} onClose={onClose}>
      {open && (
        <>
          <div className="dialog-head">
            <h2 id={head}>{title}</h2>
            <button type="button" className="plain" onClick={onClose}>
              close <span className="faint">esc</span>
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
