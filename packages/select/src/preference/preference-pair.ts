import type { Row } from "@while/schema";

/** Two replies to one prompt, the better and the worse; keys as they stand in a file. */
export interface PreferencePair {
  prompt: string;
  chosen: Row;
  rejected: Row;
  chosen_score: number;
  rejected_score: number;
  /** Chosen minus rejected, to 6 decimals. */
  margin: number;
  chosen_model: string | null;
  rejected_model: string | null;
  /** null when either model is not known. */
  same_policy: boolean | null;
  /** Code points that the chosen reply says more than the rejected one. */
  length_delta: number;
  /** False when both begin alike: a trainer that compares first turns learns nothing from the pair. */
  first_turn_differs: boolean;
  chosen_reason: string | null;
  rejected_reason: string | null;
  rejected_failure_class: string | null;
  lineage: { chosen: unknown; rejected: unknown };
}
