const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;

/** The code in a reply: what its last code fence holds, also one that was never closed; without a fence the whole text. */
export function codeOf(text: string): string {
  let code: string | null = null;
  let open: { mark: string; lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, mark = "", label = ""] = FENCE.exec(line) ?? [];
    if (open === null) {
      if (mark !== "") open = { mark, lines: [] };
    } else if (mark.startsWith(open.mark) && label.trim() === "") {
      code = open.lines.join("\n");
      open = null;
    } else open.lines.push(line);
  }
  return open === null ? (code ?? text) : open.lines.join("\n");
}
