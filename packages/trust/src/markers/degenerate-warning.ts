/**
 * One warning that names every marker that is the same on all rows, or none. A list of phrases that matches nothing
 * gives the same picture as good behaviour.
 */
export function degenerateWarning(
  constant: readonly { name: string; n: number }[],
): { code: "degenerate"; text: string }[] {
  if (constant.length === 0) return [];
  const names = constant.map(({ name }) => name).join(", ");
  const rows = new Set(constant.map(({ n }) => n));
  const n = rows.size === 1 ? `all ${[...rows][0]} rows` : "every row";
  return [
    {
      code: "degenerate",
      text:
        `${names}: the same on ${n}. None of them has an interval or has shown that it can fail; a list that matches ` +
        "nothing looks like good behaviour. Check that the marker can fire, and keep it out of must_not_regress until then",
    },
  ];
}
