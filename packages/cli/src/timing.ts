import { formatFixed } from "@while/schema";
import type { Io } from "./io/io.ts";

/** A sentence on how long the work took from here on, how many rows that is a second, and the memory of the process. */
export function timingOf({ now }: Pick<Io, "now">): (rows: number) => string {
  const start = now();
  return (rows) => {
    const seconds = (now() - start) / 1000;
    const perSecond = seconds > 0 ? `${Math.round(rows / seconds).toLocaleString("en")} rows/s` : "no time";
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
    return `${rows.toLocaleString("en")} rows in ${formatFixed(seconds, 2)} s (${perSecond}), at most ${peakMb} MB of memory`;
  };
}
