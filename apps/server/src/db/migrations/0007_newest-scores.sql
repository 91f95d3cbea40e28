-- What the pages and verdicts of an agent read, kept when it is written: the newest score of each version on each
-- behavior, over runs that are not archived. Without it every page read every run and every score again.

create table newest_scores (
  account_id text not null,
  slug text not null,
  behavior text not null,
  version text not null,
  run_uid text not null references runs (uid) on delete cascade,
  run_id text not null,
  run_at text not null,
  test_version text not null,
  score double precision not null,
  ci double precision,
  n bigint,
  scored_at text not null,
  primary key (account_id, slug, behavior, version),
  foreign key (account_id, slug) references agents (account_id, slug) on delete cascade
);

create index newest_scores_of_run on newest_scores (run_uid);

create index runs_of_version on runs (account_id, slug, version);

insert into newest_scores
  (account_id, slug, behavior, version, run_uid, run_id, run_at, test_version, score, ci, n, scored_at)
select account_id, slug, behavior, version, run_uid, run_id, run_at, test_version, score, ci, n, scored_at
from (
  select r.account_id, r.slug, s.behavior, r.version, s.run_uid, r.id as run_id, r.created_at as run_at,
    s.test_version, s.score, s.ci, s.n, s.created_at as scored_at,
    row_number() over (
      partition by r.account_id, r.slug, s.behavior, r.version
      order by s.created_at desc, r.created_at desc, r.id desc, s.test_version
    ) as place
  from scores s
  join runs r on r.uid = s.run_uid
  where r.slug is not null and r.archived = 0 and s.replaced_at is null
) ranked
where place = 1
