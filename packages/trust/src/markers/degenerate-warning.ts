/**
 * One warning that names every marker that is the same on all rows, or none. A list of phrases that matches nothing
 * gives the same picture as good behaviour.
 */
export function degenerateWarning(
  constant: readonly { name: string; n: number }[],
): { code: "degenerate"; text: string }[] {
  if (constant.length === 0) return [];
  const names = constant.map(({ name }) => name).join(", ");
  const [n, another] = new Set(constant.map((marker) => marker.n));
  const where = another !== undefined ? "on every row" : n === 1 ? "on the only row" : `on all ${n} rows`;
  return [
    {
      code: "degenerate",
      text:
        `${names}: the same ${where}. None of them has an interval or has shown that it can fail; a list that matches ` +
        "nothing looks like good behaviour. Check that the marker can fire, and keep it out of must_not_regress until then",
    },
  ];
}
