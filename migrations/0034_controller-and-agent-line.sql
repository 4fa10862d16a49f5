-- Up Migration

-- The Controllers that work on this database. One that is shut down removes its row. One that was killed leaves it for an hour.
create table controller (
  id uuid primary key,
  name text not null,
  seen_at timestamptz not null default now()
);

-- Which Agent is connected to which Controller. Of several lines of one Agent the latest counts: an earlier one is broken, and its Controller has not noticed.
create table agent_line (
  agent text not null,
  controller uuid not null references controller on delete cascade,
  connected_at timestamptz not null,
  primary key (agent, controller)
);

-- The Agents that its Rounds need. Null in a Run that was requested before this column was there.
alter table run add column agents text[];

-- Down Migration

alter table run drop column agents;
drop table agent_line, controller;
