import { sha256Hex } from "../hash/sha256.ts";
import { codePointLength, cutCodePoints } from "../text/code-points.ts";

/** Code points of a system prompt that a row keeps for a reader to recognise it by. */
const HEAD_CODE_POINTS = 120;

/** What rows keep of a system prompt, under `lineage.system_prompt_*`; the full text lives once, beside the file. */
export interface SystemPromptStamp {
  /** First 16 hex digits of its SHA-256. */
  sha: string;
  /** Its first 120 code points. */
  head: string;
  /** Its length in code points. */
  chars: number;
}

/** The stamp of a system prompt's text. */
export function systemPromptStamp(text: string): SystemPromptStamp {
  return {
    sha: sha256Hex(text).slice(0, 16),
    head: cutCodePoints(text, HEAD_CODE_POINTS),
    chars: codePointLength(text),
  };
}
