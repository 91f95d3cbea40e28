import { type CellResult, shareOf } from "./study.ts";

/** Is this share, at this many tasks, outside of what is promised? */
export type IsBad = (share: number, n: number) => boolean;

/** A line a world and number of rollouts, a column a size; `left / right` in each cell. */
export function matrix(
  results: readonly CellResult[],
  { left, right, isBad }: { left: string; right?: string; isBad: IsBad },
): string {
  const sizes = [...new Set(results.map(({ n }) => n))];
  const lines = new Map<string, Map<number, CellResult>>();
  for (const result of results) {
    const key = `${result.world} | ${result.k}`;
    const line = lines.get(key) ?? new Map<number, CellResult>();
    lines.set(key, line.set(result.n, result));
  }
  const cell = (result: CellResult) => {
    const share = shareOf(result, left)!;
    const ours = bold(percent(share), isBad(share, result.n));
    return right === undefined ? ours : `${ours} / ${percent(shareOf(result, right)!)}`;
  };
  return table(
    ["world", "k", ...sizes.map((n) => `${n} tasks`)],
    Array.from(lines, ([key, line]) => [...key.split(" | "), ...sizes.map((n) => cell(line.get(n)!))]),
  );
}

/** A line a method, a column a size: the mean over all cells of that size, and the lowest and highest of them. */
export function bySize(
  results: readonly CellResult[],
  methods: readonly (readonly [key: string, name: string])[],
  isBad: IsBad,
): string {
  const sizes = [...new Set(results.map(({ n }) => n))];
  return table(
    ["", ...sizes.map((n) => `${n} tasks`)],
    methods.map(([key, name]) => [name, ...sizes.map((n) => spread(results, key, n, isBad))]),
  );
}

function spread(results: readonly CellResult[], key: string, n: number, isBad: IsBad): string {
  const shares = results.filter((result) => result.n === n).flatMap((result) => shareOf(result, key) ?? []);
  if (shares.length === 0) return "";
  const mean = shares.reduce((total, share) => total + share, 0) / shares.length;
  const range = shares.length === 1 ? "" : ` (${percent(Math.min(...shares))}–${percent(Math.max(...shares))})`;
  return `${bold(percent(mean), isBad(mean, n))}${range}`;
}

export function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [row(heads), row(heads.map(() => "---")), ...lines.map(row)].join("\n");
}

export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** Of a share seen in so many trials, in points. */
export function standardError(share: number, trials: number): string {
  return (100 * Math.sqrt((share * (1 - share)) / trials)).toFixed(2);
}

export function bold(text: string, isBold: boolean): string {
  return isBold ? `**${text}**` : text;
}
