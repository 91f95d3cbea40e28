import type { FormatDescription, RenderedSample } from "./describe-format.ts";

/** Around what trains. */
const OPEN = "⟦";
const CLOSE = "⟧";

/** The description as text: what trains, what must be set, a row, and the row rendered with ⟦ ⟧ around what trains. */
export function formatFormatDescription(description: FormatDescription): string {
  const { format, aliases, kind, kinds, trains, requires, masks, rendered, ownTemplate } = description;
  const lines = [
    `${[format, ...aliases].join(", ")}: ${kind} rows`,
    `  trains ${trains}`,
    ...requires.map(({ setting, value, why }) => `  requires ${setting}: ${value} (${why})`),
  ];
  if (masks !== null)
    lines.push(
      `  masks: ${Object.entries(masks)
        .map(([mask, who]) => `${mask} ${WHO[who]}`)
        .join(", ")}`,
    );
  lines.push(`  tool calls: ${CALLS[description.encoding]}`);
  const others = kinds.filter((other) => other !== kind);
  if (others.length > 0) lines.push(`  other kinds: ${others.join(", ")}`);
  for (const line of description.lines) lines.push("", `  ${line}`);
  const by = ownTemplate ? "by the template given" : "by a ChatML template; your model's own looks otherwise";
  const isMarked = rendered.some(({ spans }) => spans.length > 0);
  lines.push("", `  rendered ${by}${isMarked ? `, ${OPEN}what trains${CLOSE}` : ""}:`);
  for (const sample of rendered) {
    lines.push(
      "",
      `  ${sample.title}`,
      ...marked(sample)
        .trimEnd()
        .split("\n")
        .map((line) => `  | ${line}`),
    );
  }
  return lines.join("\n");
}

const WHO = { own: "by the file", default: "by default", set: "by a setting", no: "not possible" } as const;
const CALLS = {
  json_string: "arguments as JSON text",
  dict: "arguments as objects",
  text: "in the text of messages",
} as const;

function marked({ text, spans }: RenderedSample): string {
  let out = "";
  let at = 0;
  for (const [start, end] of spans) {
    // A line break behind a turn is inside the span and reads better outside.
    const inside = text.slice(start, end);
    const words = inside.replace(/\n+$/, "");
    out += `${text.slice(at, start)}${OPEN}${words}${CLOSE}${inside.slice(words.length)}`;
    at = end;
  }
  return out + text.slice(at);
}
