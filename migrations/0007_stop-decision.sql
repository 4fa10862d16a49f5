-- Up Migration

-- What the stop rule decided after each Block. It is decided once: a Run that is taken up again goes on as it was decided.
create table stop_decision (
  run_id bigint not null references run on delete cascade,
  block integer not null,
  decision jsonb not null,
  decided_at timestamptz not null default now(),
  primary key (run_id, block)
);

-- Down Migration

drop table stop_decision;
