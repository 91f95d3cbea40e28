/** Names of columns by which a header without an extension is known. */
const KNOWN_COLUMNS =
  /^(?:prompt|question|input|task|ask|final_text|output|response|answer|reward|task_id|scenario_id)$/;

/** Whether a file is CSV: by its name, or by a first line that names columns of rows. */
export function looksLikeCsv(path: string, head: Uint8Array): boolean {
  if (/\.(csv|tsv)(\.gz)?$/i.test(path)) return true;
  if (/\.(jsonl?|ndjson)(\.gz)?$/i.test(path)) return false;
  const text = new TextDecoder().decode(head.subarray(0, 4096)).trimStart();
  if (/^[{[]/.test(text)) return false;
  const header = text.split(/\r?\n|\r/, 1)[0] ?? "";
  const cells = header.split(/[,;\t|]/).map((cell) => cell.replaceAll('"', "").trim());
  return cells.length > 1 && cells.some((cell) => KNOWN_COLUMNS.test(cell));
}
