-- What a list of sets says of each in a number, beside the whole profile and the whole report of its gate. Warnings of a
-- gate that ran before are counted when its report is asked for.

alter table datasets add column pass_rate double precision;

alter table datasets add column mixed_tasks bigint;

alter table datasets add column gate_warnings bigint;

-- sqlite
update datasets set
  pass_rate = json_extract(profile, '$.profile.pass_rate'),
  mixed_tasks = json_extract(profile, '$.profile.mixed_tasks')
where profile is not null;

-- The names of tasks may hold U+0000, which this database reads out of no JSON: the numbers are found as text. The first
-- of each name is that of the whole set.
-- postgres
update datasets set
  pass_rate = cast(substring(profile from '"pass_rate":(-?[0-9][0-9.eE+-]*)') as double precision),
  mixed_tasks = cast(substring(profile from '"mixed_tasks":([0-9]+)') as bigint)
where profile is not null
