-- Up Migration

-- A link to the Comparison of one Run for people without an account. The link has the secret; here is its SHA-256.
create table comparison_share (
  id bigint generated always as identity primary key,
  run_id bigint not null references run on delete cascade,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  made_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index comparison_share_run on comparison_share (run_id);

-- Down Migration

drop table comparison_share;
