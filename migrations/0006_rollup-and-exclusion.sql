-- Up Migration

-- A Visit that is left out of the statistics, by whom and why. A reversal is recorded too, and nothing is ever deleted here.
create table exclusion (
  id bigint generated always as identity primary key,
  visit_id uuid not null references visit on delete cascade,
  reason text not null,
  excluded_by text not null,
  excluded_at timestamptz not null default now(),
  reversal_reason text,
  reversed_by text,
  reversed_at timestamptz,
  check ((reversed_at is null) = (reversed_by is null) and (reversed_at is null) = (reversal_reason is null))
);
create unique index exclusion_in_force on exclusion (visit_id) where reversed_at is null;
create index exclusion_visit on exclusion (visit_id);

-- Whether a completed Round stands in the rollups of its Run.
alter table round add column rolled_up boolean not null default false;

-- One URL under one Scenario over the Rounds of a Run, of one User Agent or (null) over all: the value of a Round is the mean over its User Agents
-- of the mean over their Visits. `squares` is the sum of squared deviations from the mean.
create table cell_rollup (
  run_id bigint not null references run on delete cascade,
  scenario text not null,
  user_agent text,
  url text not null,
  metric text not null,
  visits integer not null,
  failed_visits integer not null,
  absent_visits integer not null,
  rounds integer not null,
  mean double precision,
  squares double precision not null,
  unique nulls not distinct (run_id, metric, user_agent, url, scenario)
);

-- One Scenario in one Block: `mean` over its (User Agent, URL), `log_ratio` the mean of ln(own / baseline) over those that both have.
create table block_rollup (
  run_id bigint not null references run on delete cascade,
  block integer not null,
  scenario text not null,
  metric text not null,
  visits integer not null,
  failed_visits integer not null,
  absent_visits integer not null,
  mean double precision,
  log_ratio double precision,
  primary key (run_id, metric, scenario, block)
);

-- Down Migration

drop table block_rollup, cell_rollup, exclusion;
alter table round drop column rolled_up;
