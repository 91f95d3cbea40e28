import { messagesOf, type Row, rowKey, textOf } from "@while/schema";
import { writeCsv, writeFileAtomically } from "@while/schema/files";

/**
 * Rows for people to label, without what a judge said of them: `key`, `prompt`, `final_text` and an empty `label`. CSV where
 * the name says so, for a spreadsheet; else JSONL. Filled in, it is a file for `--labels`.
 *
 * @param keys Of the rows that are wanted, in their order
 */
export async function writeLabelSheet(path: string, rows: readonly Row[], keys: readonly string[]): Promise<void> {
  const rowOf = new Map(rows.map((row) => [rowKey(row), row]));
  const sheet = keys.map((key) => {
    const row = rowOf.get(key)!;
    const said = textOf(row.final_text) || textOf(messagesOf(row).at(-1)?.content);
    return { key, prompt: textOf(row.prompt), final_text: said };
  });
  await writeSheet(path, sheet);
}

/** Records with an empty `label` each: CSV where the name says so, else JSONL. */
export async function writeSheet(path: string, sheet: readonly Record<string, unknown>[]): Promise<void> {
  if (/\.csv$/i.test(path)) {
    await writeCsv(
      path,
      sheet.map((record) => ({ ...record, label: "" })),
      { spreadsheetSafe: true },
    );
    return;
  }
  const lines = sheet.map((record) => `${JSON.stringify({ ...record, label: null })}\n`);
  await writeFileAtomically(path, (file) => file.write(lines.join("")));
}
