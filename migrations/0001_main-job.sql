-- Up Migration

create table evaluator (
  id bigint generated always as identity primary key,
  name text not null unique,
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table session (
  token_hash bytea primary key,
  evaluator_id bigint references evaluator on delete cascade,
  csrf_token text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table sign_in_ticket (
  ticket_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table token (
  id bigint generated always as identity primary key,
  name text not null,
  scope text not null check (scope in ('agent', 'api')),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table agent (
  name text primary key,
  token_id bigint references token on delete set null,
  agent_version text not null,
  facts jsonb not null,
  clock_offset_ms double precision,
  clock_error_ms double precision,
  last_seen_at timestamptz not null default now()
);

create table evaluation (
  id bigint generated always as identity primary key,
  document jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

-- One execution of an Evaluation. Its owner holds a lease: every write of the owner names the epoch it was given, so that
-- a Controller that lost its lease cannot write any more.
create table run (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references evaluation,
  document jsonb not null,
  seed bigint not null,
  state text not null default 'pending'
    check (state in ('pending', 'running', 'stopping', 'completed', 'stopped', 'failed')),
  problem text,
  rounds_planned integer not null,
  owner text,
  epoch integer not null default 0,
  owner_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index run_evaluation on run (evaluation_id);
create index run_pending on run (id) where state = 'pending';
-- One Run at a time: two would disturb each other's measurement.
create unique index run_under_way on run ((true)) where state in ('running', 'stopping');

-- One try of one planned Round; a broken one is kept.
create table round (
  id uuid primary key default gen_random_uuid(),
  run_id bigint not null references run on delete cascade,
  index integer not null,
  block integer not null,
  scenario text not null,
  warm_up boolean not null,
  attempt integer not null,
  state text not null default 'preparing' check (state in ('preparing', 'running', 'collecting', 'completed', 'broken')),
  problem text,
  start_skew_ms double precision,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (run_id, index, attempt)
);

create table pass (
  id uuid primary key,
  round_id uuid not null references round on delete cascade,
  user_agent text not null,
  agent text not null,
  state text not null default 'ordered' check (state in ('ordered', 'ready', 'running', 'ended', 'completed', 'lost')),
  visits_expected integer not null,
  started_at timestamptz,
  problem text,
  unique (round_id, user_agent)
);

-- Readings are derived from the Snapshot: an object of metric → value, and one of metric → why it is absent.
create table visit (
  id uuid primary key,
  pass_id uuid not null references pass on delete cascade,
  sequence integer not null,
  url text not null,
  repetition integer not null,
  started_at timestamptz not null,
  clock_offset_ms double precision not null,
  clock_error_ms double precision not null,
  status text not null check (status in ('ok', 'failed')),
  code text check ((status = 'failed') = (code is not null)),
  detail text,
  is_settled boolean,
  is_hidden boolean,
  metrics_version integer not null,
  readings jsonb not null,
  absences jsonb not null,
  stored_at timestamptz not null default now()
);
create index visit_pass on visit (pass_id);

create table snapshot (
  visit_id uuid primary key references visit on delete cascade,
  body jsonb not null
);

create table script_execution (
  id uuid primary key,
  round_id uuid not null references round on delete cascade,
  phase text not null check (phase in ('set-up', 'tear-down')),
  host text not null,
  script text not null,
  exit_code integer,
  is_timed_out boolean not null,
  duration_ms double precision not null,
  output text not null,
  ended_at timestamptz not null default now()
);
create index script_execution_round on script_execution (round_id);

-- Down Migration

drop table script_execution, snapshot, visit, pass, round, run, evaluation, agent, token, sign_in_ticket, session, evaluator;
