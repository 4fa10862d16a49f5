-- Up Migration

-- What a Run is known by beside its time, such as the build that it measured: {"build": "1234"}.
alter table run add column labels jsonb not null default '{}';
-- The same for Runs of the same settings. Names, descriptions and figures change no measurement.
alter table run add column settings_md5 text not null
  generated always as (md5((document - 'name' - 'description' - 'figures')::text)) stored;

-- The figures of a Run for the trend of its Evaluation, each Scenario in the primary metric.
alter table run_digest add column trend jsonb;

-- Down Migration

alter table run_digest drop column trend;
alter table run drop column settings_md5, drop column labels;
