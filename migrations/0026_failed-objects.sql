-- Up Migration

-- How many objects of a Visit that loaded failed, as a column, so that a report over many Visits parses no JSON. Null of a failed Visit, and where it is not known.
alter table visit
  add column failed_objects integer generated always as (case when status = 'ok' then (readings ->> 'failedObjectCount')::integer end) stored;

-- Those that a reader of the report goes to see.
create index visit_with_failed_objects on visit (pass_id) where failed_objects > 0;

-- Down Migration

alter table visit drop column failed_objects;
