-- Up Migration

-- On which side of the threshold of its trend a completed Run is, and what became of the message that it has crossed it.
create table run_threshold (
  run_id bigint primary key references run on delete cascade,
  -- 'above', 'below' or 'undecided'.
  side text not null,
  -- Whether the decided Run before it was on the other side.
  crosses boolean not null,
  judged_at timestamptz not null default now(),
  attempts smallint not null default 0,
  tried_at timestamptz,
  delivered_at timestamptz,
  -- Of the last attempt.
  problem text
);
create index run_threshold_to_deliver on run_threshold (run_id) where crosses and delivered_at is null;

-- A threshold changes no measurement.
alter table run drop column settings_md5;
alter table run add column settings_md5 text not null
  generated always as (md5((document - 'name' - 'description' - 'figures' - 'resources' - 'trend')::text)) stored;

-- Down Migration

alter table run drop column settings_md5;
alter table run add column settings_md5 text not null
  generated always as (md5((document - 'name' - 'description' - 'figures' - 'resources')::text)) stored;
drop table run_threshold;
