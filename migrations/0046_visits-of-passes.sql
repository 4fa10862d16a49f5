-- Up Migration

-- What became of the Visits of a Pass, stored as its Round is completed; null before, and of Rounds that were completed earlier. Pages of Runs need it often.
alter table pass add column visits_made integer, add column visits_failed integer, add column visits_unsettled integer, add column failures jsonb;

-- Down Migration

alter table pass drop column visits_made, drop column visits_failed, drop column visits_unsettled, drop column failures;
