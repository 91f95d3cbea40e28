const KEPT = "while-columns:";

/** The columns that were last chosen for an agent on this computer; null when none were. */
export function keptColumns(agent: string): string[] | null {
  try {
    const kept = localStorage.getItem(KEPT + agent);
    return kept === null || kept === "" ? null : kept.split(" ");
  } catch {
    // A browser that keeps nothing shows the usual ones.
    return null;
  }
}

export function keepColumns(agent: string, columns: readonly string[]): void {
  try {
    localStorage.setItem(KEPT + agent, columns.join(" "));
  } catch {
    // They hold in the address.
  }
}
