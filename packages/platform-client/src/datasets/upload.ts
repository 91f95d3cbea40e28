import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";

/** Seconds that an upload may take: two minutes, and four seconds a megabyte. */
export function putTimeoutS(bytes: number): number {
  return 120 + (4 * bytes) / 1_000_000;
}

/**
 * PUTs the rows to the address that the platform gave, which carries its own permission: no key goes there.
 *
 * @throws PlatformError `upload_failed` with size, seconds and what to do
 */
export async function upload(
  transport: Transport,
  url: string,
  lines: Blob,
  timeoutS: number = putTimeoutS(lines.size),
): Promise<void> {
  const failed = (why: string, facts: { status?: number; cause?: unknown }) =>
    new PlatformError(
      "upload_failed",
      `The upload of ${(lines.size / 1e6).toFixed(1)} MB failed within ${Math.round(timeoutS)} s: ${why}.`,
      "Give it more time with timeoutS, or push a slice of the rows.",
      { method: "PUT", ...facts },
    );
  let response: Response;
  try {
    response = await transport.fetch(url, {
      method: "PUT",
      headers: { "Content-Type": "application/jsonl" },
      body: lines,
      signal: AbortSignal.timeout(Math.ceil(timeoutS * 1000)),
      redirect: "error",
    });
  } catch (cause) {
    throw failed(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  if (response.ok) return;
  const { status } = response;
  throw failed(`it was answered ${status} ${(await response.text().catch(() => "")).slice(0, 200)}`.trim(), { status });
}
