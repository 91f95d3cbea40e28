import type { TrainCurve } from "@while/platform-client/contract";
import type { CurveLine } from "./curve-line.ts";
import { smoothed } from "./curve-path.ts";
import { hackSeries, isHackSeries } from "./hack-series.ts";

/** Series with a place of their own, by the names they have on the page. */
const NAMED = [
  ["reward", "training reward"],
  ["kl", "KL to the base"],
  ["loss", "loss"],
  ["completionLength", "tokens per completion"],
  ["clipRatio", "share cut at the cap"],
] as const;

interface Named {
  name: string;
  values: readonly (number | null)[];
}

/** What the large drawing shows and what stands small below it. */
export interface TrainingSeries {
  main: CurveLine[];
  minis: Named[];
  /** Names of the other series, which are drawn when they are asked for. */
  others: string[];
}

/**
 * The reward is the large drawing, with proxy and gold where a monitor posted them; without one it is the loss, else
 * the first series there is. What else has a place of its own stands below, then the series that the page draws by
 * itself (`small`) and those that were asked for.
 */
export function trainingSeries(
  curve: TrainCurve,
  { smoothing, asked, small = [] }: { smoothing: number; asked: readonly string[]; small?: readonly string[] },
): TrainingSeries {
  const there = NAMED.flatMap(([key, name]): Named[] =>
    curve[key].some((value) => value !== null) ? [{ name, values: curve[key] }] : [],
  );
  const known = Object.keys(curve.series).filter((name) => !isHackSeries(name));
  const { proxy, gold } = hackSeries(curve);
  const main =
    there.find(({ name }) => name === "training reward") ?? there.find(({ name }) => name === "loss") ?? there[0];
  const first = main ?? (known[0] === undefined ? undefined : { name: known[0], values: curve.series[known[0]]! });
  const lines: CurveLine[] = [];
  if (first !== undefined && (first.name === "training reward" || (proxy === null && gold === null))) {
    lines.push({ ...first, look: "raw" });
    if (smoothing > 0) lines.push({ name: "smoothed", values: smoothed(first.values, smoothing), look: "smooth" });
  }
  if (proxy !== null) lines.push({ name: "proxy", values: proxy, look: "proxy" });
  if (gold !== null) lines.push({ name: "gold", values: gold, look: "gold" });
  const minis = there.filter(({ name }) => !lines.some((line) => line.name === name));
  for (const name of new Set([...small, ...asked])) {
    const values = curve.series[name];
    if (values !== undefined && !isHackSeries(name)) minis.push({ name, values });
  }
  return {
    main: lines,
    minis,
    others: known.filter((name) => !small.includes(name) && !lines.some((line) => line.name === name)).sort(),
  };
}

/** Rows of the table under a curve: the first, the last, and evenly between, at most `most`. */
export function tablePlaces(length: number, most = 40): number[] {
  if (length <= most) return Array.from({ length }, (_, place) => place);
  return Array.from({ length: most }, (_, place) => Math.round((place * (length - 1)) / (most - 1)));
}
