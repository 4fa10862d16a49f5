-- Up Migration

-- The first Visit of a Pass, and the one before another, are found without reading the others.
create index visit_pass_sequence on visit (pass_id, sequence);
drop index visit_pass;

-- Down Migration

create index visit_pass on visit (pass_id);
drop index visit_pass_sequence;
