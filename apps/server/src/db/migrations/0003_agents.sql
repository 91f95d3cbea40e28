-- Agents: what every set, trace, run, behavior and page hangs off. They are found by their id in lower case, and shown
-- as they were given.

create table agents (
  account_id text not null references accounts (id) on delete cascade,
  slug text not null,
  id text not null,
  name text not null,
  model text,
  harness text,
  serving text,
  frontier text,
  description text,
  tools text,
  system_prompt text,
  created_at text not null,
  last_activity_at text not null,
  primary key (account_id, slug)
);

create table promotions (
  id text primary key,
  account_id text not null,
  slug text not null,
  version text not null,
  previous text,
  reason text,
  promoted_by text,
  at text not null,
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create index promotions_of_agent on promotions (account_id, slug, at)
