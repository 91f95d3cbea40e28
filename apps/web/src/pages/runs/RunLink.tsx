import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { EXACTLY, type Search } from "../../search.ts";
import { useDrawer } from "../../use-drawer.ts";

export interface RunLinkProps {
  run: string;
  /** A part of the open run to go to. */
  hash?: string;
  /** In the table the link of the open run closes it, and the keys that walk find it. */
  row?: boolean;
  children: ReactNode;
}

/** Opens a run below the table, in place of the one that is open. */
export function RunLink({ run, hash, row = false, children }: RunLinkProps): ReactNode {
  const drawer = useDrawer("run");
  const here = row && drawer.open === run;
  return (
    <Link
      to="."
      activeOptions={EXACTLY}
      {...(row ? { "data-run": run } : {})}
      {...(hash === undefined ? {} : { hash })}
      search={((now: Search) => ({ ...now, run: here ? undefined : run })) as never}
      state={drawer.open === undefined ? drawer.opening : true}
      replace={drawer.open !== undefined}
      resetScroll={false}
      onClick={(event) => {
        if (!here || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        drawer.close();
      }}
    >
      {children}
    </Link>
  );
}
