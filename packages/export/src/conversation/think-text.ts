/** A reply without its think text. */
export interface Spoken {
  text: string;
  /** Think text was there. */
  removed: boolean;
  /** It was opened and never closed: the reply was cut while the model still thought. */
  unclosed: boolean;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * What the agent said, without what it thought: complete `<think>…</think>` pairs go (any case, across lines) with
 * the blanks behind them; a `</think>` that was opened by the chat template takes everything before it along; a
 * `<think>` without end takes everything after it. The rest is trimmed.
 *
 * The Python SDK removes complete pairs only, so that a cut reply trains half a thought. Linear in the text: tags are
 * searched by index, never by a lazy expression over megabytes without a closing tag.
 */
export function stripThink(text: string): Spoken {
  // Ten times faster than folding the case of every reply, of which most hold no tag at all.
  if (!/<\/?think>/i.test(text)) return { text: text.trim(), removed: false, unclosed: false };
  const folded = text.replace(/<\/?think>/gi, (tag) => tag.toLowerCase());
  let spoken = "";
  let at = 0;
  for (;;) {
    const open = folded.indexOf(OPEN, at);
    const close = open === -1 ? -1 : folded.indexOf(CLOSE, open);
    if (close === -1) break;
    spoken += folded.slice(at, open);
    at = afterBlanks(folded, close + CLOSE.length);
  }
  spoken += folded.slice(at);
  const orphan = spoken.lastIndexOf(CLOSE);
  if (orphan !== -1) spoken = spoken.slice(afterBlanks(spoken, orphan + CLOSE.length));
  const cut = spoken.indexOf(OPEN);
  if (cut !== -1) spoken = spoken.slice(0, cut);
  return { text: spoken.trim(), removed: true, unclosed: cut !== -1 };
}

function afterBlanks(text: string, at: number): number {
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
