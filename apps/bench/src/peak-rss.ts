import { readFileSync } from "node:fs";

/**
 * The most memory that this process has held, in MB. What `resourceUsage` calls the peak begins with that of the parent
 * process; Linux has the true one in `/proc`.
 */
export function peakRssMb(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024;
}
