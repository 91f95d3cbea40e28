/** The digits that a token stands for, written as digits or spelled out; undefined for a word. */
export function digitsOf(token: string): string | undefined {
  return /^\d/.test(token) ? token.replace(/\.0+$/, "") : SPELLED.get(token);
}

const UP_TO_TWENTY =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";

const SPELLED: ReadonlyMap<string, string> = new Map([
  ...UP_TO_TWENTY.split(" ").map((word, value) => [word, String(value)] as const),
  ...([
    ["thirty", "30"],
    ["forty", "40"],
    ["fifty", "50"],
    ["sixty", "60"],
    ["seventy", "70"],
    ["eighty", "80"],
  ] as const),
  ...([
    ["ninety", "90"],
    ["hundred", "100"],
    ["thousand", "1000"],
    ["dozen", "12"],
    ["twice", "2"],
    ["double", "2"],
    ["once", "1"],
  ] as const),
]);
