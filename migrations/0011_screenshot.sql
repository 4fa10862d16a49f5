-- Up Migration

-- What an Agent tells of a Visit's screenshot: the hash of its file, or why there is none. Null where none was asked for.
alter table visit add column screenshot jsonb;

-- The files of screenshots that are on the disk, each once; the oldest are removed to make room.
create table screenshot_file (
  sha256 text primary key,
  bytes bigint not null,
  received_at timestamptz not null default now()
);
create index screenshot_file_received_at on screenshot_file (received_at desc);

-- Down Migration

drop table screenshot_file;
alter table visit drop column screenshot;
