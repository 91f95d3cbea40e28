import type { Generated } from "kysely";

/**
 * What the database holds, as the queries see it. Times are ISO 8601 text in UTC with milliseconds (their order is the
 * order of text), JSON is text. The migrations beside this file make the tables.
 */
export interface Tables {
  migrations: { number: number; name: string; at: string };
  accounts: AccountTable;
  keys: KeyTable;
  device_codes: DeviceCodeTable;
  sign_in_links: { hash: string; account_id: string; expires_at: string };
  email_codes: { email: string; hash: string; tries: number; expires_at: string };
  usage_days: { account_id: string; day: string; input_tokens: number; output_tokens: number };
  idempotency: IdempotencyTable;
  audit: AuditTable;
  datasets: DatasetTable;
  dataset_parts: DatasetPartTable;
  agents: AgentTable;
  promotions: PromotionTable;
  behaviors: BehaviorTable;
  experiments: { account_id: string; slug: string; fields: string; updated_at: string };
  figures: FigureTable;
  live_days: LiveDayTable;
  runs: RunTable;
  run_points: RunPointTable;
  scores: ScoreTable;
  newest_scores: NewestScoreTable;
  score_rows: ScoreRowTable;
  score_row_sets: RowSetTable;
  traces: TraceTable;
}

export interface AccountTable {
  id: string;
  email: string | null;
  tier: "trial" | "full";
  trial_expires_at: string | null;
  created_at: string;
}

export interface KeyTable {
  id: string;
  account_id: string;
  /** `key` is made for a program, `delegated` lives for hours, `session` is a browser. */
  kind: "key" | "delegated" | "session";
  name: string;
  hash: string;
  prefix: string;
  suffix: string;
  /** JSON list of scopes. */
  scopes: string;
  /** JSON list of agent ids that the key may touch; null is all. */
  agents: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  last_used_at: string | null;
}

export interface DeviceCodeTable {
  hash: string;
  user_code_hash: string;
  name: string;
  address: string | null;
  status: "pending" | "approved" | "denied" | "used";
  account_id: string | null;
  created_at: string;
  expires_at: string;
  last_polled_at: string | null;
}

interface IdempotencyTable {
  account_id: string;
  method: string;
  path: string;
  idempotency_key: string;
  fingerprint: string;
  /** Null while the first request is still running. */
  status: number | null;
  reply: string | null;
  created_at: string;
}

export interface AuditTable {
  seq: Generated<number>;
  at: string;
  account_id: string | null;
  key_id: string | null;
  address: string | null;
  action: string;
  resource: string;
  request_id: string;
  detail: string | null;
  /** SHA-256 over the hash before and this entry: an entry that is changed or taken out breaks the chain. */
  hash: string;
}

export interface DatasetTable {
  id: string;
  account_id: string;
  name: string;
  /** Slug of its agent. */
  agent: string | null;
  purpose: "train" | "holdout" | "eval" | "raw";
  mode: "explore" | "sft" | "rl" | "adaptive" | null;
  description: string | null;
  parent_id: string | null;
  status: "uploading" | "ready" | "failed";
  /** 1 for a holdout that only a key with `eval:read` downloads. */
  sealed: number;
  version: number;
  row_count: number | null;
  task_count: number | null;
  bytes: number;
  sha256: string | null;
  rows_digest: string | null;
  duplicate_of: string | null;
  /** JSON, with the version of the algorithm that made it. */
  profile: string | null;
  /** JSON list of sample rows. */
  preview: string | null;
  /** JSON of the gate's report, or of why there is none. */
  gate: string | null;
  /** Null before it is finalized, and of traces until somebody asks. */
  gate_state: "pending" | "done" | "too_large" | "failed" | null;
  /** Of the rules that made the report. */
  gate_version: number | null;
  /** Until when, and by whom, the set is read by the gate. */
  gate_lease: string | null;
  /** How often reading it began and did not end. */
  gate_tries: number;
  /** Of the profile; null where nothing is graded or it is not made. */
  pass_rate: number | null;
  mixed_tasks: number | null;
  /** Of the gate's report; null where there is none. */
  gate_warnings: number | null;
  published_at: string | null;
  published_agent: string | null;
  published_description: string | null;
  created_by: string | null;
  created_at: string;
  finalized_at: string | null;
}

export interface DatasetPartTable {
  dataset_id: string;
  /** Place among the parts of its set, from 0. */
  part: number;
  /** Name in the blob store. */
  blob: string;
  bytes: number;
  sha256: string;
  /** The trace that a part came with. */
  trace_id: string | null;
  created_at: string;
}

export interface AgentTable {
  account_id: string;
  /** The id in lower case, by which it is found. */
  slug: string;
  id: string;
  name: string;
  model: string | null;
  /** JSON of the posted harness. */
  harness: string | null;
  serving: string | null;
  /** JSON of the frontier. */
  frontier: string | null;
  description: string | null;
  /** JSON list of tool schemas. */
  tools: string | null;
  system_prompt: string | null;
  created_at: string;
  last_activity_at: string;
  /** Grows with every change that its verdict rests on. */
  facts: number;
  /** JSON of the verdict, and of which `facts` it was concluded from. */
  verdict: string | null;
}

interface PromotionTable {
  id: string;
  account_id: string;
  slug: string;
  version: string;
  previous: string | null;
  reason: string | null;
  /** What the verdict said then. */
  verdict: string | null;
  promoted_by: string | null;
  at: string;
}

interface BehaviorTable {
  account_id: string;
  slug: string;
  name: string;
  /** Order in which they were declared. */
  place: number;
  /** JSON of everything but the name. */
  fields: string;
  created_at: string;
  updated_at: string;
}

export interface FigureTable {
  account_id: string;
  slug: string;
  name: string;
  caption: string | null;
  run_id: string | null;
  figure: string;
  updated_at: string;
}

interface LiveDayTable {
  account_id: string;
  slug: string;
  day: string;
  version: string;
  replies: number;
  flagged: number;
  p50s: number | null;
  cost_usd: number | null;
  updated_at: string;
}

export interface RunTable {
  uid: string;
  account_id: string;
  id: string;
  /** Slug of its agent; null for a training run that belongs to none. */
  slug: string | null;
  /** The agent's id as it was given. */
  agent_id: string | null;
  version: string;
  name: string | null;
  base: string | null;
  method: string | null;
  /** JSON lists. */
  targets: string;
  trained_on: string;
  harness: string | null;
  gpu: string | null;
  hours: number | null;
  seconds: number | null;
  cost_usd: number | null;
  steps: number | null;
  total_steps: number | null;
  status: string;
  error: string | null;
  notes: string | null;
  archived: number;
  /** JSON objects. */
  summary: string | null;
  record: string | null;
  dataset_id: string | null;
  after_dataset_id: string | null;
  trainer: string | null;
  adapter: string | null;
  config: string | null;
  /** Of its record. */
  seed: number | null;
  /** JSON of what is asked of it and may stay as it is, and why. */
  dismissed: string | null;
  /** Grows with every change of the run or of what hangs off it: the id of its events. */
  revision: number;
  created_at: string;
  updated_at: string;
}

interface RunPointTable {
  run_uid: string;
  step: number;
  /** Seconds since 1970; 0 where a step has one point only. */
  ts: number;
  /** JSON object of finite numbers. */
  metrics: string;
  /** The run's revision when it was written. */
  revision: number;
}

export interface ScoreTable {
  id: string;
  run_uid: string;
  behavior: string;
  /** Empty where the test has no name. */
  test_version: string;
  score: number;
  ci: number | null;
  n: number | null;
  version: string;
  /** JSON list of sample rows. */
  examples: string | null;
  /** Whether each sample row passed, as `1` and `0`: all that a list says of them. */
  oks: string;
  revision: number;
  created_at: string;
  /** Null for the one that counts. */
  replaced_at: string | null;
}

/** The newest score of a version on a behavior, over runs that are not archived. */
export interface NewestScoreTable {
  account_id: string;
  slug: string;
  behavior: string;
  version: string;
  run_uid: string;
  run_id: string;
  run_at: string;
  test_version: string;
  score: number;
  ci: number | null;
  n: number | null;
  scored_at: string;
}

export interface ScoreRowTable {
  run_uid: string;
  behavior: string;
  place: number;
  ok: number;
  score: number | null;
  /** JSON of the row. */
  body: string;
  /** Its tags between marks that no tag holds, so that a filter is one search of a text. */
  tags: string;
  /** All its text in lower case, which a search goes through. */
  words: string;
  /** Digest of prompt and reference. The three are null in rows of an earlier server, until they are asked for. */
  ask: string | null;
  why: string | null;
  /** 1 where a text was cut. */
  cut: number | null;
}

export interface RowSetTable {
  run_uid: string;
  behavior: string;
  total: number;
  expected: number | null;
  /** JSON of what the rows say by themselves; null where nobody asked since the last was written. */
  reading: string | null;
}

interface TraceTable {
  account_id: string;
  id: string;
  agent: string | null;
  dataset_id: string;
  part: number;
  row_count: number;
  bytes: number;
  created_at: string;
}
