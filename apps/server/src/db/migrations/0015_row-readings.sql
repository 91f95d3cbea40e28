-- What the graded rows behind a score say by themselves, as JSON: made when a run is read, forgotten when a row is written.

alter table score_row_sets add column reading text
