-- The verdict of an agent beside its name in the list, kept until something that it rests on changes: `facts` counts
-- those changes, and a kept verdict says of how many it knew.

alter table agents add column facts bigint not null default 0;

alter table agents add column verdict text
