import { getFormat } from "../formats/registry.ts";
import { RoundtripCheck, type RoundtripReport } from "./roundtrip-check.ts";

export interface RoundtripOptions {
  /** A format of the registry; decides how arguments must be spelled. */
  format?: string;
}

/**
 * Reads every tool call of the rows back, as the trainer will: under `messages`, or under `prompt`, `completion`,
 * `chosen` and `rejected`. A valid call has arguments that are an object, spelled as the format spells them: training
 * on the others teaches arguments wrapped in strings. Where a row carries `tools`, calls are also held against them.
 *
 * @throws ExportError `format_unknown`
 */
export function toolCallRoundtrip(
  rows: readonly object[],
  { format = "openai" }: RoundtripOptions = {},
): RoundtripReport {
  const spec = getFormat(format);
  const check = new RoundtripCheck(spec.name, spec.encoding);
  for (const [index, row] of rows.entries()) check.add(row as Record<string, unknown>, index);
  return check.report();
}
