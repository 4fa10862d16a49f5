-- Up Migration

-- A Run that somebody asked for to see whether a URL loads: it measures nothing that is compared, and stands in no list unless asked for.
alter table run add column is_try boolean not null default false;
update run set is_try = true
from evaluation
where evaluation.id = run.evaluation_id and evaluation.deleted_at is not null
  and run.document ->> 'name' like 'Try of %' and run.document #>> '{userAgents,0,name}' = 'try' and run.document #>> '{scenarios,0,name}' = 'as it is';

-- Down Migration

alter table run drop column is_try;
