-- Up Migration

-- A Capture Point in one Round: where packets were captured without a User Agent.
create table capture_point (
  id uuid primary key,
  round_id uuid not null references round on delete cascade,
  name text not null,
  agent text not null,
  interface text not null,
  filter text not null,
  unique (round_id, name)
);

-- A Capture is that of a Pass or that of a Capture Point in a Round.
alter table capture drop constraint capture_pkey;
alter table capture alter column pass_id drop not null;
alter table capture add column id bigint generated always as identity primary key;
alter table capture add column point_id uuid unique references capture_point on delete cascade;
alter table capture add constraint capture_pass_id_key unique (pass_id);
alter table capture add constraint capture_of_one check (num_nonnulls(pass_id, point_id) = 1);
create index capture_trace on capture (trace_sha256) where trace_sha256 is not null;

-- Down Migration

drop index capture_trace;
delete from capture where pass_id is null;
alter table capture drop constraint capture_of_one;
alter table capture drop constraint capture_pass_id_key;
alter table capture drop column point_id;
alter table capture drop column id;
alter table capture add primary key (pass_id);
drop table capture_point;
