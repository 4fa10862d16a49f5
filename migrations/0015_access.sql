-- Up Migration

-- In rising order: each may do what those before it may.
create type role as enum ('viewer', 'evaluator', 'admin');

-- Until now everybody with an account could do everything.
alter table evaluator add role role not null default 'admin';
alter table evaluator alter role drop default;

-- Whoever signs in by a ticket has its role until the account is made, and the account has it then.
alter table sign_in_ticket add id bigint generated always as identity unique, add role role not null default 'admin', add made_by text;
alter table sign_in_ticket alter role drop default;

-- A session without an account has a role of its own.
alter table session
  add id bigint generated always as identity unique,
  add role role,
  add last_used_at timestamptz not null default now(),
  add browser text;
update session set role = 'admin' where evaluator_id is null;
alter table session add check ((evaluator_id is null) = (role is not null));

-- An API token does what its role and the role of its maker both may. An Agent token may be bound to the name of one Agent.
alter table token
  add role role check (role in ('viewer', 'evaluator')),
  add evaluator_id bigint references evaluator on delete set null,
  add made_by text,
  add agent_name text check (agent_name is null or scope = 'agent');
update token set role = 'evaluator' where scope = 'api';
alter table token add check ((scope = 'api') = (role is not null));

alter table run add requested_by text;

-- The text of every script that was run, once.
create table audit_script (
  sha256 bytea primary key,
  script text not null
);

create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  script_sha256 bytea references audit_script
);
create index audit_entry_action on audit_entry (action, id);

-- What was done stays done: not even the Controller changes or removes entries.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the audit log are neither changed nor removed';
end $$;
create trigger audit_entry_stays before update or delete or truncate on audit_entry for each statement execute function refuse_audit_change();
create trigger audit_script_stays before update or delete or truncate on audit_script for each statement execute function refuse_audit_change();

-- Down Migration

drop table audit_entry, audit_script;
drop function refuse_audit_change;
alter table run drop requested_by;
alter table token drop role, drop evaluator_id, drop made_by, drop agent_name;
alter table session drop id, drop role, drop last_used_at, drop browser;
alter table sign_in_ticket drop id, drop role, drop made_by;
alter table evaluator drop role;
drop type role;
