import { type ReactNode, useRef } from "react";
import styles from "./Menu.module.css";

export interface MenuProps {
  name: string;
  /** What is chosen, said beside the name. */
  chosen: readonly string[];
  children: ReactNode;
}

/** A few choices behind their name. It closes by Escape, and when one goes on elsewhere. */
export function Menu({ name, chosen, children }: MenuProps): ReactNode {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      className={styles.menu}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.stopPropagation();
        close();
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary>
        {name}
        {chosen.length > 0 && (
          <>
            : <bdi>{chosen.join(", ")}</bdi>
          </>
        )}
      </summary>
      <fieldset>
        <legend className="sr">{name}</legend>
        {children}
      </fieldset>
    </details>
  );
}
