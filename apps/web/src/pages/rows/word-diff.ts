/** A stretch that both texts have, or only the first, or only the second. */
export interface DiffPiece {
  in: "both" | "first" | "second";
  text: string;
}

export interface WordDiff {
  pieces: DiffPiece[];
  /** Words that both have, as a share of the longer one's; 0 to 1. */
  alike: number;
}

/** Words, spaces, and each other character for itself. */
const TOKEN = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const WORD = /[\p{L}\p{N}_]/u;

/** What a common token counts: one word more than all the spaces that could be matched instead. */
function weightOf(token: string): number {
  return WORD.test(token) ? 16 : /\s/.test(token) ? 1 : 2;
}

/**
 * Two texts word by word, by their heaviest common subsequence. Time and room grow with the product of their words: a
 * stored text has 2,000 characters at most, so that is four million steps in the worst case.
 */
export function wordDiff(first: string, second: string): WordDiff {
  const a = first.match(TOKEN) ?? [];
  const b = second.match(TOKEN) ?? [];
  const heaviest = commonWeights(a, b);
  const width = b.length + 1;
  const steps: DiffPiece[] = [];
  let i = 0;
  let j = 0;
  let shared = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      if (WORD.test(a[i]!)) shared++;
      steps.push({ in: "both", text: a[i]! });
      i++;
      j++;
    } else if (j === b.length || (i < a.length && heaviest[(i + 1) * width + j]! >= heaviest[i * width + j + 1]!)) {
      steps.push({ in: "first", text: a[i++]! });
    } else {
      steps.push({ in: "second", text: b[j++]! });
    }
  }
  const words = Math.max(wordCount(a), wordCount(b));
  return { pieces: stretches(steps), alike: words === 0 ? 0 : shared / words };
}

/**
 * Steps joined to stretches that can be read: what only the first has before what only the second has, and a space
 * between two changes belongs to both of them.
 */
function stretches(steps: readonly DiffPiece[]): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let changed = { first: "", second: "" };
  const push = (where: DiffPiece["in"], text: string): void => {
    const last = pieces.at(-1);
    if (text === "") return;
    if (last?.in === where) last.text += text;
    else pieces.push({ in: where, text });
  };
  const flush = (): void => {
    push("first", changed.first);
    push("second", changed.second);
    changed = { first: "", second: "" };
  };
  for (const [place, step] of steps.entries()) {
    if (step.in !== "both") {
      changed[step.in] += step.text;
      continue;
    }
    const between = changed.first !== "" && changed.second !== "" && steps[place + 1]?.in !== "both";
    if (between && place + 1 < steps.length && step.text.trim() === "") {
      changed.first += step.text;
      changed.second += step.text;
    } else {
      flush();
      push("both", step.text);
    }
  }
  flush();
  return pieces;
}

function wordCount(tokens: readonly string[]): number {
  return tokens.filter((token) => WORD.test(token)).length;
}

/** Weight of the heaviest common subsequence of what begins at each pair of places. */
function commonWeights(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const heaviest = new Uint32Array((a.length + 1) * width);
  const weights = a.map(weightOf);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      heaviest[i * width + j] =
        a[i] === b[j]
          ? heaviest[(i + 1) * width + j + 1]! + weights[i]!
          : Math.max(heaviest[(i + 1) * width + j]!, heaviest[i * width + j + 1]!);
    }
  }
  return heaviest;
}
