import type { Study } from "../calibration/study.ts";
import { scanHonest } from "./scan-honest.ts";
import { scanNull } from "./scan-null.ts";
import { scanRecall } from "./scan-recall.ts";

/** What the hack scan finds where there is nothing, where there is little, and where there is something. */
export const SCAN_STUDIES: readonly Study[] = [scanNull, scanHonest, scanRecall];
