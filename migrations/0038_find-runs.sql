-- Up Migration

-- What lists find a Run or an Evaluation by.
alter table run
  add column name text not null generated always as (coalesce(document ->> 'name', '')) stored,
  add column tags text[] not null default '{}',
  add column note text not null default '';
alter table evaluation
  add column tags text[] not null default '{}',
  add column note text not null default '';

-- What lists show of a Run that has ended, so that none reads its Visits. It holds while the Run has this revision and this end, and the Controller this way to make it.
create table run_digest (
  run_id bigint primary key references run on delete cascade,
  revision int not null,
  ended_at timestamptz not null,
  definition text not null,
  visits int not null,
  failed_visits int not null,
  outcome jsonb not null
);

-- Down Migration

drop table run_digest;
alter table evaluation drop column note, drop column tags;
alter table run drop column note, drop column tags, drop column name;
