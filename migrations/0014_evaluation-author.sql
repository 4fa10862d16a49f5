-- Up Migration

-- Who stored an Evaluation last, so that another who has it open is told. Null of those from before this was kept.
alter table evaluation add column updated_by text;

-- Down Migration

alter table evaluation drop column updated_by;
