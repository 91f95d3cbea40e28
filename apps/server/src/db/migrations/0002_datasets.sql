-- Sets of rows: an entry, its parts in the blob store, and what is known of its rows once it is finalized.

create table datasets (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  name text not null,
  agent text,
  purpose text not null,
  mode text,
  description text,
  parent_id text,
  status text not null,
  sealed integer not null,
  version integer not null,
  row_count bigint,
  task_count bigint,
  bytes bigint not null,
  sha256 text,
  rows_digest text,
  duplicate_of text,
  profile text,
  preview text,
  published_at text,
  published_agent text,
  published_description text,
  created_by text,
  created_at text not null,
  finalized_at text
);

create index datasets_of_account on datasets (account_id, created_at, id);

create index datasets_of_agent on datasets (account_id, agent);

create index datasets_by_parent on datasets (parent_id);

create index datasets_by_sha256 on datasets (account_id, sha256);

create index datasets_published on datasets (published_at);

create table dataset_parts (
  dataset_id text not null references datasets (id) on delete cascade,
  part integer not null,
  blob text not null,
  bytes bigint not null,
  sha256 text not null,
  trace_id text,
  created_at text not null,
  primary key (dataset_id, part)
);

create index dataset_parts_of_trace on dataset_parts (trace_id)
