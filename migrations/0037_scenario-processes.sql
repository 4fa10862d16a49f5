-- Up Migration

-- Scripts that run once the network is set, and processes, which have names and last a Round or longer.
alter table script_execution drop constraint script_execution_phase_check;
alter table script_execution add constraint script_execution_phase_check
  check (phase in ('set-up', 'after-network', 'process', 'tear-down'));
alter table script_execution add column name text;
alter table script_execution add column problem text;

-- Down Migration

delete from script_execution where phase not in ('set-up', 'tear-down');
alter table script_execution drop column problem;
alter table script_execution drop column name;
alter table script_execution drop constraint script_execution_phase_check;
alter table script_execution add constraint script_execution_phase_check check (phase in ('set-up', 'tear-down'));
