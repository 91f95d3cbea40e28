import { readFileSync } from "node:fs";

/** Ticks of the kernel's clock a second, on every Linux there is. */
const TICKS_PER_SECOND = 100;

/**
 * Milliseconds of processor time that another process has had, which a busy machine does not make more of. Where the
 * system does not say, those of the clock.
 */
export function cpuMsOf(pid: number): number {
  if (process.platform !== "linux") return performance.now();
  try {
    // The name of the program, in brackets, may hold blanks; user and system time are the 12th and 13th field behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (1000 * (Number(fields[11]) + Number(fields[12]))) / TICKS_PER_SECOND;
  } catch {
    return performance.now(); // It has just ended.
  }
}
