import type { RunRow } from "@while/platform-client/contract";

/** What a run is called: its name, or for a run of an agent its version. */
export function nameOf({ name, version }: Pick<RunRow, "name" | "version">): string {
  return name ?? version;
}
