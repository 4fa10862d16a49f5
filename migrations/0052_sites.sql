-- Up Migration

-- Recordings of real sites, which the testbed replays. Their files are with the traces, by their hashes.
create table site (
  id uuid primary key default gen_random_uuid(),
  -- By which URL lists refer to it.
  name text not null unique,
  sha256 text not null unique,
  bytes bigint not null,
  -- What lists show: core/protocol/api/stored-site.ts.
  summary jsonb not null,
  -- The index of its file, core/site/site.ts, as JSON compressed by zstd.
  document bytea not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null default now()
);
alter table site alter column document set storage external;

-- Down Migration

drop table site;
