-- The seed that a run's record names, so that the seeds of one version are found without reading the records of all runs.

alter table runs add column seed bigint;

-- sqlite
update runs set seed = json_extract(record, '$.optimizer.seed')
where record is not null and json_type(record, '$.optimizer.seed') = 'integer';

-- Texts of a record may hold U+0000, which this database reads out of no JSON: the number is found as text.
-- postgres
update runs set seed = cast(substring(record from '"seed":(-?[0-9]{1,15})[,}]') as bigint)
where record is not null;

create index runs_of_seed on runs (account_id, slug, version, seed) where seed is not null
