-- Up Migration

-- The few Visits of a Run that a reader of its report goes to see, found without looking at all of them.
create index visit_flagged on visit (pass_id) where status = 'failed' or not is_settled or is_hidden;

-- Down Migration

drop index visit_flagged;
