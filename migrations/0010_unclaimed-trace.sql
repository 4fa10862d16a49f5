-- Up Migration

-- Traces that may be on this Controller's disk although no Capture keeps them: uploaded before their Capture, or given up. They are removed when they are old.
-- Other databases may have their files in the same folder: only those named here are ours to remove.
create table unclaimed_trace (
  sha256 text primary key,
  noted_at timestamptz not null default now()
);
create index unclaimed_trace_noted_at on unclaimed_trace (noted_at);

-- Down Migration

drop table unclaimed_trace;
