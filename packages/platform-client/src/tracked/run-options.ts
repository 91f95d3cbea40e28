import type { Harness } from "@while/schema";
import type { Frontier } from "../contract/agents.ts";
import type { RunRecord } from "../contract/run-record.ts";

/** The agent as `track` found it. */
export interface TrackedAgent {
  id: string;
  name: string;
  model: string | null;
  /** Null for a bare name: the stored one stays. */
  harness: Harness | null;
  /** Of what the model is told of its tools; null where that was not read. */
  toolsHash?: string | null;
  frontier: Frontier | null;
}

export interface RunOptions {
  /** The agent's model by default. */
  base?: string | undefined;
  /** Recorded and not interpreted: `eval`, `SFT`, `GRPO`, `DPO`. */
  method?: string | undefined;
  /** Behaviors that the run claims to move. Score all of them: the others are the check. */
  targets?: readonly string[] | undefined;
  trainedOn?: readonly string[] | undefined;
  /** A harness is pinned by its fingerprint, a text is a label and pins nothing; by default the agent's own. */
  harness?: Harness | string | { pin(): Harness } | undefined;
  gpu?: string | undefined;
  record?: RunRecord | undefined;
  /** An id of your own. One that exists is opened anew, without its points, scores and rows. */
  id?: string | undefined;
  flushEvery?: number | undefined;
  flushSeconds?: number | undefined;
}
