/** A stretch of a stored text, or a gap in it with the number of characters that are gone. */
export type CutPiece = { text: string } | { gone: number; marker: string };

/** The marker that stands where a text was cut before it was stored. */
const MARKER = /\[\.\.\. (\d+) chars cut \.\.\.\]/g;

/** A stored text, taken apart at the places where something was cut out of it. */
export function cutPieces(text: string): CutPiece[] {
  const pieces: CutPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKER)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ gone: Number(match[1]), marker: match[0] });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Characters cut out of a text before it was stored; 0 when it is whole. */
export function charactersGone(text: string): number {
  return cutPieces(text).reduce((sum, piece) => sum + ("gone" in piece ? piece.gone : 0), 0);
}
