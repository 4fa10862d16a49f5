-- Up Migration

-- The Capture of a Pass. `outcome` is what the Agent told, without the Visits; `visits` what each Visit had on the wire, by its id: a Visit may come later.
create table capture (
  pass_id uuid primary key references pass on delete cascade,
  outcome jsonb not null,
  visits jsonb not null,
  trace_sha256 text,
  trace_bytes bigint,
  -- When its trace was deleted to make room; null while it is kept.
  trace_removed_at timestamptz,
  stored_at timestamptz not null default now(),
  check ((trace_sha256 is null) = (trace_bytes is null))
);
create index capture_kept_trace on capture (stored_at) where trace_sha256 is not null and trace_removed_at is null;

-- Down Migration

drop table capture;
