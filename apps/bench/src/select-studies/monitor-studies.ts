import type { Study } from "../calibration/study.ts";
import { monitorDivergence } from "./monitor-divergence.ts";

/** What the hack monitor raises where there is nothing, and where there is something. */
export const MONITOR_STUDIES: readonly Study[] = [monitorDivergence];
