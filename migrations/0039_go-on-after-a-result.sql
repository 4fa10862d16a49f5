-- Up Migration

-- Rounds that were added to a Run after it had ended: its Blocks from `first_block` on, without the warm-up. They begin when a Controller takes them up.
create table added_rounds (
  run_id bigint not null references run (id) on delete cascade,
  number integer not null check (number >= 1),
  first_block integer not null check (first_block >= 1),
  blocks integer not null check (blocks >= 1),
  requested_by text,
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  -- What the Run was before, and is again if the added Rounds are cancelled before they begin.
  state_before text not null,
  problem_before text,
  ended_before timestamptz not null,
  rounds_planned_before integer not null,
  -- As in `run`: of these Rounds.
  hosts jsonb,
  primary key (run_id, number)
);

-- The Agents of a Run, with the facts of their hosts, when it ended (before Rounds were added).
alter table run add column hosts jsonb;

-- The Run whose Evaluation this one is a change of.
alter table evaluation add column changed_from_run bigint references run (id) on delete set null;
create index evaluation_changed_from_run on evaluation (changed_from_run) where changed_from_run is not null;

-- Down Migration

alter table evaluation drop column changed_from_run;
alter table run drop column hosts;
drop table added_rounds;
