-- Up Migration

-- A Run that is paused goes on with its Round to the end, and begins no other until it is resumed.
alter table run add column paused_at timestamptz;
-- How long it was paused in all, before the pause that goes on: time that no limit counts.
alter table run add column paused_ms double precision not null default 0;

-- Down Migration

alter table run drop column paused_at, drop column paused_ms;
