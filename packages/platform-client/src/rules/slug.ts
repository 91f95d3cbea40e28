import { AGENT_ID_MAX } from "../contract/caps.ts";

/** What stands at an edge is not part of a name. */
const EDGES = /^[-._]+|[-._]+$/g;

/**
 * The id of an agent from its name: letters and digits of ASCII, `.`, `_` and `-`, at most 64, `agent` when nothing is
 * left. Letters lose their accents first, as an id that is not ASCII cannot be put in a path by the Python client.
 */
export function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .trim();
  const edged = plain.replace(/[^A-Za-z0-9._-]/gu, "-").replace(EDGES, "");
  return edged.slice(0, AGENT_ID_MAX).replace(EDGES, "") || "agent";
}
