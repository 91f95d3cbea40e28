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
  email_codes: { email: string; hash: string; tries: number; expires_at: string };
  usage_days: { account_id: string; day: string; input_tokens: number; output_tokens: number };
  idempotency: IdempotencyTable;
  audit: AuditTable;
  datasets: DatasetTable;
  dataset_parts: DatasetPartTable;
  agents: AgentTable;
  promotions: PromotionTable;
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

export interface IdempotencyTable {
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
}

export interface PromotionTable {
  id: string;
  account_id: string;
  slug: string;
  version: string;
  previous: string | null;
  reason: string | null;
  promoted_by: string | null;
  at: string;
}
