-- What the publish gate says of a set, kept until its rows change.

alter table datasets add column gate text
