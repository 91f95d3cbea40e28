-- The gate reads a set when it is finalized: at once where it is small, and otherwise behind the answer. What waits is
-- the queue itself, so that a server that ends leaves nothing unread, and a lease says which replica reads it now.
-- Sets of an earlier server are read once more: of a holdout the gate asks something else now.

alter table datasets add column gate_state text;

alter table datasets add column gate_version integer;

alter table datasets add column gate_lease text;

alter table datasets add column gate_tries integer not null default 0;

update datasets set gate_state = 'pending' where status = 'ready' and purpose <> 'raw';

create index datasets_to_gate on datasets (finalized_at) where gate_state = 'pending'
