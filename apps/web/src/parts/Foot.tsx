import { useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface FootProps {
  /** Call that answers the same as data. */
  json?: string;
  /** The keys of this page, a few words each. */
  keys?: readonly string[];
  children?: ReactNode;
}

/** Foot of a page: the view as it can be shared, the same facts as data, and the keys. */
export function Foot({ json, keys, children }: FootProps): ReactNode {
  const { searchStr } = useLocation();
  return (
    <footer className="foot">
      {children}
      {searchStr !== "" && <span>{searchStr}</span>}
      {json !== undefined && <a href={json}>this page as JSON</a>}
      {keys !== undefined && <span className="end wide-only">{keys.join("\u2003")}</span>}
    </footer>
  );
}
