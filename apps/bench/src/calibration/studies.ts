import { clusters } from "./clusters.ts";
import { differences } from "./differences.ts";
import { families } from "./families.ts";
import { labeledSides } from "./labeled-sides.ts";
import { labeledTasks } from "./labeled-tasks.ts";
import { labels } from "./labels.ts";
import { means } from "./means.ts";
import { noise } from "./noise.ts";
import { rates } from "./rates.ts";
import { runs } from "./runs.ts";
import type { Study } from "./study.ts";
import { words } from "./words.ts";

/** In the order a report is read: one number, two, the words, and what else may go wrong. */
export const STUDIES: readonly Study[] = [
  means,
  differences,
  words,
  families,
  noise,
  runs,
  clusters,
  labels,
  labeledTasks,
  labeledSides,
  rates,
];
