-- Up Migration

-- Runs that share nothing are measured at the same time: `core/run-queue/find-meeting.ts`.
drop index run_under_way;
create index run_open on run (id) where state in ('pending', 'running', 'stopping');
drop index run_pending;
-- What a Run uses besides its Agents: `resource:NAME` as declared, `origin:HOST` of its URLs and proxies. Null in a Run that was requested before.
alter table run add column shared text[];
-- A resource decides when a Run begins, and changes no measurement.
alter table run drop column settings_md5;
alter table run add column settings_md5 text not null
  generated always as (md5((document - 'name' - 'description' - 'figures' - 'resources')::text)) stored;

-- Where an Agent was when it connected last: the kernel that it ran on, and where its line came from. Null where that is not known.
alter table agent add column machine text, add column address text;

-- A Controller that was started with --one-run-at-a-time. While one of them lives, all of this database obey.
alter table controller add column one_run_at_a_time boolean not null default false;

-- The Runs that were under way at the same time as a Run, whether they are still there or not.
create table run_beside (
  run_id bigint not null references run on delete cascade,
  other_id bigint not null,
  primary key (run_id, other_id)
);

-- Down Migration

drop table run_beside;
alter table controller drop column one_run_at_a_time;
alter table agent drop column machine, drop column address;
alter table run drop column settings_md5;
alter table run add column settings_md5 text not null
  generated always as (md5((document - 'name' - 'description' - 'figures')::text)) stored;
alter table run drop column shared;
create index run_pending on run (id) where state = 'pending';
drop index run_open;
create unique index run_under_way on run ((true)) where state in ('running', 'stopping');
