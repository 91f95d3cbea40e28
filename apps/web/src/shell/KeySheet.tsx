import { type ReactNode, useState } from "react";
import { Dialog } from "../parts/Dialog.tsx";
import { useBoundKeys, useKeys } from "./keys.tsx";

/** The sheet under `?`: what each key does on this page. */
export function KeySheet(): ReactNode {
  const [open, setOpen] = useState(false);
  const bound = useBoundKeys();
  useKeys([{ keys: "?", says: "this sheet", run: () => setOpen(true) }]);
  return (
    <>
      <button type="button" className="bare wide-only" onClick={() => setOpen(true)}>
        Keys <span className="faint">?</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Keys">
        <dl className="defs keys">
          {bound.map(({ keys, says }) => (
            <div key={keys} className="pair">
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{says}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
