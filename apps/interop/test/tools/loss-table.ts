import type { MarkedTokens } from "./trained-tokens.ts";

const WIDTHS = [18, 10, 28, 6, 9, 10, 12] as const;
const HEAD = ["consumer", "version", "file", "rows", "tokens", "with loss", "agent turns"];

/** What each consumer loaded and takes loss on, printed when its tests are through. */
export function lossTable() {
  const lines: (string | number)[][] = [];
  return {
    /** @param turns How many agent turns the export says it trains. */
    add(
      consumer: string,
      version: string,
      file: string,
      { rows, marked }: { rows: number; marked: readonly MarkedTokens[] },
      turns: number,
    ): void {
      const loss = marked.flatMap((row) => row.loss);
      const withLoss = loss.filter((flag) => flag === 1).length;
      lines.push([consumer, version, file, rows, loss.length, withLoss, turns]);
    },
    print(): void {
      const text = (cells: readonly (string | number)[]) =>
        cells
          .map((cell, i) =>
            typeof cell === "number" || i > 2 ? `${cell}`.padStart(WIDTHS[i]!) : `${cell}`.padEnd(WIDTHS[i]!),
          )
          .join(" ");
      if (lines.length > 0) console.log([HEAD, ...lines].map(text).join("\n"));
    },
  };
}
