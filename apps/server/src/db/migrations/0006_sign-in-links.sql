-- Links that sign one browser in, once: how a person who holds a key of a server without mail gets into its pages.

create table sign_in_links (
  hash text primary key,
  account_id text not null references accounts (id) on delete cascade,
  expires_at text not null
)
