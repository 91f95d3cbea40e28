-- Who may call: accounts, their keys (only as keyed hashes), the codes by which a key is asked for, what was done with
-- them, and the answers of requests that may come twice.

create table accounts (
  id text primary key,
  email text unique,
  tier text not null,
  trial_expires_at text,
  created_at text not null
);

create table keys (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  kind text not null,
  name text not null,
  hash text not null unique,
  prefix text not null,
  suffix text not null,
  scopes text not null,
  agents text,
  expires_at text,
  revoked_at text,
  created_at text not null,
  last_used_at text
);

create index keys_of_account on keys (account_id);

create table device_codes (
  hash text primary key,
  user_code_hash text not null unique,
  name text not null,
  address text,
  status text not null,
  account_id text references accounts (id) on delete cascade,
  created_at text not null,
  expires_at text not null,
  last_polled_at text
);

create table email_codes (
  email text primary key,
  hash text not null,
  tries integer not null,
  expires_at text not null
);

create table usage_days (
  account_id text not null references accounts (id) on delete cascade,
  day text not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (account_id, day)
);

create table idempotency (
  account_id text not null,
  method text not null,
  path text not null,
  idempotency_key text not null,
  fingerprint text not null,
  status integer,
  reply text,
  created_at text not null,
  primary key (account_id, method, path, idempotency_key)
);

create index idempotency_by_age on idempotency (created_at);

-- sqlite
create table audit (
  seq integer primary key autoincrement,
  at text not null,
  account_id text,
  key_id text,
  address text,
  action text not null,
  resource text not null,
  request_id text not null,
  detail text,
  hash text not null
);

-- postgres
create table audit (
  seq bigint generated always as identity primary key,
  at text not null,
  account_id text,
  key_id text,
  address text,
  action text not null,
  resource text not null,
  request_id text not null,
  detail text,
  hash text not null
);

create index audit_of_account on audit (account_id, seq);
