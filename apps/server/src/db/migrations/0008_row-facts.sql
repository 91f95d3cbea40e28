-- What rows are grouped, paired and filtered by, beside their body: the ask (a digest of prompt and reference, the same
-- in every run), the reason of a failure, and whether a text was cut. Null in rows of an earlier server, which are
-- filled in when somebody asks.

alter table score_rows add column ask text;

alter table score_rows add column why text;

alter table score_rows add column cut integer;

create index score_rows_of_ask on score_rows (run_uid, behavior, ask)
