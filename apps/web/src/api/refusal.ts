import type { ErrorBody } from "@while/platform-client/contract";

/** What the platform said instead of an answer, in its own words. */
export class Refusal extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The platform's word to branch on, `unreachable` when no answer came. */
  readonly code: string;
  readonly requestId: string | null;

  constructor(
    sentence: string,
    { status, code, requestId }: { status: number; code: string; requestId: string | null },
  ) {
    super(sentence);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  return new Refusal(body?.error ?? `The platform answered ${response.status} without a word.`, {
    status: response.status,
    code: body?.code ?? "refused",
    requestId: body?.requestId ?? response.headers.get("x-request-id"),
  });
}

export function noAnswer(): Refusal {
  const sentence = "The platform does not answer. Is it running, and is this computer online?";
  return new Refusal(sentence, { status: 0, code: "unreachable", requestId: null });
}
