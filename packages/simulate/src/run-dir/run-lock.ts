import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { SimulateError } from "../simulate-error.ts";

/** Takes a run for this process; what comes back lets go of it. A lock whose process is gone is taken over. */
export function lockRun(path: string): () => void {
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, JSON.stringify({ pid: process.pid, started: startOf(process.pid) }), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt > 2) throw error;
    }
    const { pid, started } = ownerOf(path);
    if (pid !== null && isAlive(pid, started)) {
      const fix = "Wait for it, or stop it; what it has written stays.";
      throw new SimulateError("run_locked", `${path} is held by the process ${pid}.`, fix);
    }
    rmSync(path, { force: true });
  }
}

/** A lock that cannot be read was torn by the end of its process. */
function ownerOf(path: string): { pid: number | null; started: string | null } {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, "utf8"));
    return { pid: typeof pid === "number" ? pid : null, started: typeof started === "string" ? started : null };
  } catch {
    return { pid: null, started: null }; // Torn, or gone in between.
  }
}

function isAlive(pid: number, started: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // Another process may have the number by now.
  const now = startOf(pid);
  return started === null || now === null || now === started;
}

/** When a process began, where the system tells; null elsewhere. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null; // No /proc here.
  }
}
