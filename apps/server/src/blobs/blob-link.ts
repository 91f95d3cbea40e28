import { HttpError } from "../http/http-error.ts";
import type { Services } from "../services.ts";

/** What a link allows: one thing, with one object, until a time. */
export interface BlobLink {
  act: "put" | "get";
  datasetId: string;
  part: number;
  /** Milliseconds since 1970. */
  until: number;
}

/** A path that carries its own permission: whoever holds it may do this one thing without a key. */
export function linkPath({ secrets }: Pick<Services, "secrets">, { act, datasetId, part, until }: BlobLink): string {
  const text = Buffer.from(JSON.stringify([act, datasetId, part, until])).toString("base64url");
  return `/blobs/${text}.${secrets.sign(text)}`;
}

/** What a token allows. @throws HttpError `upload_expired` when it is not ours, is for something else, or is over */
export function readLink(
  { secrets, now }: Pick<Services, "secrets" | "now">,
  token: string,
  act: BlobLink["act"],
): BlobLink {
  const dot = token.lastIndexOf(".");
  const text = token.slice(0, Math.max(0, dot));
  const over = new HttpError("upload_expired", "This link is over or was changed. Ask for a new one.");
  if (dot < 0 || !secrets.signed(text, token.slice(dot + 1))) throw over;
  const [what, datasetId, part, until] = JSON.parse(Buffer.from(text, "base64url").toString()) as [
    BlobLink["act"],
    string,
    number,
    number,
  ];
  if (what !== act || until < now()) throw over;
  return { act, datasetId, part, until };
}
