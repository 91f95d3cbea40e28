import type { CentredFeature } from "./centred-feature.ts";
import type { Column } from "./column.ts";

/** A feature on its way into the report. */
export interface Scanned {
  feature: CentredFeature;
  /** The column over all graded rows, for the pooled correlation. */
  whole: Column;
  rho: number;
  endorsed: boolean;
  /** null where nothing was shuffled. */
  adjustedP: number | null;
}
