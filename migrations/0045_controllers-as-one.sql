-- Up Migration

-- Each line of an Agent gets a higher number than its lines before: two Controllers agree on which of two is the current one, whatever their clocks say.
alter table agent add column line bigint not null generated always as identity;
delete from agent_line;
alter table agent_line drop column connected_at;
alter table agent_line add column line bigint not null;

-- Whether it holds an advisory lock as long as its process lives.
alter table controller add column has_sign boolean not null default false;

-- What one Controller has for another: orders to Agents that are connected there, and what Agents answer. Each row is removed when it was dealt with.
create table controller_message (
  to_controller uuid not null references controller (id) on delete cascade,
  from_controller uuid not null,
  -- Of the sender, in the order in which it sent: what was dealt with is not dealt with again.
  number bigint not null,
  -- Of an order: it is refused when the Run has another owner by then.
  run_id bigint,
  epoch integer,
  body text not null,
  primary key (to_controller, from_controller, number)
);

-- Down Migration

drop table controller_message;
alter table controller drop column has_sign;
delete from agent_line;
alter table agent_line drop column line;
alter table agent_line add column connected_at timestamptz not null;
alter table agent drop column line;
