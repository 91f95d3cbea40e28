/** What an embedder brought to light, and whether it could. */
export interface SemanticReading {
  similarity: number;
  /** What two different tasks reach, over how many prompts; null with fewer than two pairs of ids. */
  distinct: { value: number; nPrompts: number; isSampled: boolean } | null;
  nPrompts: number;
}
