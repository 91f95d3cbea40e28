-- What is measured of an agent, and the runs that measured it. A run is found by its id within the account; what hangs
-- off it goes by a uid of its own, so that opening a known id anew leaves nothing of the run before.

create table behaviors (
  account_id text not null,
  slug text not null,
  name text not null,
  place integer not null,
  fields text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, slug, name),
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create table experiments (
  account_id text not null,
  slug text not null,
  fields text not null,
  updated_at text not null,
  primary key (account_id, slug),
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create table figures (
  account_id text not null,
  slug text not null,
  name text not null,
  caption text,
  run_id text,
  figure text not null,
  updated_at text not null,
  primary key (account_id, slug, name),
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create table live_days (
  account_id text not null,
  slug text not null,
  day text not null,
  version text not null,
  replies bigint not null,
  flagged bigint not null,
  p50s double precision,
  cost_usd double precision,
  updated_at text not null,
  primary key (account_id, slug, day, version),
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create table runs (
  uid text primary key,
  account_id text not null references accounts (id) on delete cascade,
  id text not null,
  slug text,
  agent_id text,
  version text not null,
  name text,
  base text,
  method text,
  targets text not null,
  trained_on text not null,
  harness text,
  gpu text,
  hours double precision,
  seconds double precision,
  cost_usd double precision,
  steps bigint,
  total_steps bigint,
  status text not null,
  error text,
  notes text,
  archived integer not null,
  summary text,
  record text,
  dataset_id text,
  after_dataset_id text,
  trainer text,
  adapter text,
  config text,
  revision bigint not null,
  created_at text not null,
  updated_at text not null,
  unique (account_id, id),
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create index runs_of_agent on runs (account_id, slug, created_at, id);

create table run_points (
  run_uid text not null references runs (uid) on delete cascade,
  step bigint not null,
  ts double precision not null,
  metrics text not null,
  revision bigint not null,
  primary key (run_uid, step, ts)
);

create index run_points_by_revision on run_points (run_uid, revision);

create table scores (
  id text primary key,
  run_uid text not null references runs (uid) on delete cascade,
  behavior text not null,
  test_version text not null,
  score double precision not null,
  ci double precision,
  n bigint,
  version text not null,
  examples text,
  oks text not null,
  revision bigint not null,
  created_at text not null,
  replaced_at text
);

create index scores_of_run on scores (run_uid, behavior, test_version);

create table score_rows (
  run_uid text not null references runs (uid) on delete cascade,
  behavior text not null,
  place bigint not null,
  ok integer not null,
  score double precision,
  body text not null,
  tags text not null,
  words text not null,
  primary key (run_uid, behavior, place)
);

create table score_row_sets (
  run_uid text not null references runs (uid) on delete cascade,
  behavior text not null,
  total bigint not null,
  expected bigint,
  primary key (run_uid, behavior)
);

create table traces (
  account_id text not null references accounts (id) on delete cascade,
  id text not null,
  agent text,
  dataset_id text not null references datasets (id) on delete cascade,
  part integer not null,
  row_count bigint not null,
  bytes bigint not null,
  created_at text not null,
  primary key (account_id, id)
);

create index traces_of_agent on traces (account_id, agent, created_at, id)
