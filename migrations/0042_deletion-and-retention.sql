-- Up Migration

-- What a Run lost, and since when. `is_clearing`: it is still being deleted, in steps. A Run with `deleted_at` is shown nowhere, and goes once all that belongs to it is gone.
alter table run
  add column deleted_at timestamptz,
  add column snapshots_deleted_at timestamptz,
  add column visits_deleted_at timestamptz,
  add column is_clearing boolean not null default false;
create index run_clearing on run (id) where is_clearing;

-- An erased Evaluation cannot be restored, and goes once its Runs are gone. `retention`: null as for all Evaluations.
alter table evaluation
  add column erased_at timestamptz,
  add column retention jsonb;
create index evaluation_erased on evaluation (id) where erased_at is not null;
alter table instance add column retention jsonb not null default '{"snapshotDays": null, "visitDays": null}';

-- Whether another Visit has the same picture, before it is removed with its own.
create index visit_screenshot on visit ((screenshot ->> 'sha256')) where screenshot ->> 'sha256' is not null;
create index visit_filmstrip on visit using gin (jsonb_path_query_array(filmstrip, '$.frames[*].sha256') jsonb_path_ops) where filmstrip is not null;

-- Down Migration

drop index visit_filmstrip;
drop index visit_screenshot;
alter table instance drop column retention;
alter table evaluation drop column retention, drop column erased_at;
alter table run drop column is_clearing, drop column visits_deleted_at, drop column snapshots_deleted_at, drop column deleted_at;
