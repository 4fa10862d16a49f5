-- The database schema after all migrations, to read. Written by "node tests/db/write-schema.ts"; the migrations make the tables.

create table added_rounds (
  run_id bigint not null,
  number integer not null,
  first_block integer not null,
  blocks integer not null,
  requested_by text,
  requested_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  state_before text not null,
  problem_before text,
  ended_before timestamp with time zone not null,
  rounds_planned_before integer not null,
  hosts jsonb,
  check ((blocks >= 1)),
  check ((first_block >= 1)),
  check ((number >= 1)),
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id, number)
);

create table agent (
  name text not null,
  token_id bigint,
  agent_version text not null,
  facts jsonb not null,
  clock_offset_ms double precision,
  clock_error_ms double precision,
  last_seen_at timestamp with time zone not null default now(),
  machine text,
  address text,
  line bigint not null generated always as identity,
  foreign key (token_id) references token(id) on delete set null,
  primary key (name)
);

create table agent_line (
  agent text not null,
  controller uuid not null,
  line bigint not null,
  foreign key (controller) references controller(id) on delete cascade,
  primary key (agent, controller)
);

create table audit_entry (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null default '{}'::jsonb,
  script_sha256 bytea,
  foreign key (script_sha256) references audit_script(sha256),
  primary key (id)
);
create index audit_entry_action on audit_entry (action, id);

create table audit_script (
  sha256 bytea not null,
  script text not null,
  primary key (sha256)
);

create table block_rollup (
  run_id bigint not null,
  block integer not null,
  scenario text not null,
  metric text not null,
  visits integer not null,
  failed_visits integer not null,
  absent_visits integer not null,
  mean double precision,
  log_ratio double precision,
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id, metric, scenario, block)
);

create table capture (
  pass_id uuid,
  outcome jsonb not null,
  visits jsonb not null,
  trace_sha256 text,
  trace_bytes bigint,
  trace_removed_at timestamp with time zone,
  stored_at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  point_id uuid,
  trace_store uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  check (((trace_sha256 is null) = (trace_bytes is null))),
  check ((num_nonnulls(pass_id, point_id) = 1)),
  foreign key (pass_id) references pass(id) on delete cascade,
  foreign key (point_id) references capture_point(id) on delete cascade,
  primary key (id),
  unique (pass_id),
  unique (point_id)
);
create index capture_kept_trace on capture (stored_at) where ((trace_sha256 is not null) and (trace_removed_at is null));
create index capture_trace on capture (trace_sha256) where (trace_sha256 is not null);

create table capture_point (
  id uuid not null,
  round_id uuid not null,
  name text not null,
  agent text not null,
  interface text not null,
  filter text not null,
  foreign key (round_id) references round(id) on delete cascade,
  primary key (id),
  unique (round_id, name)
);

create table cell_rollup (
  run_id bigint not null,
  scenario text not null,
  user_agent text,
  url text not null,
  metric text not null,
  visits integer not null,
  failed_visits integer not null,
  absent_visits integer not null,
  rounds integer not null,
  mean double precision,
  squares double precision not null,
  foreign key (run_id) references run(id) on delete cascade,
  unique nulls not distinct (run_id, metric, user_agent, url, scenario)
);

create table comparison_share (
  id bigint not null generated always as identity,
  run_id bigint not null,
  secret_hash bytea not null,
  made_by text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  check ((octet_length(secret_hash) = 32)),
  foreign key (run_id) references run(id) on delete cascade,
  primary key (id),
  unique (secret_hash)
);
create index comparison_share_run on comparison_share (run_id);

create table controller (
  id uuid not null,
  name text not null,
  seen_at timestamp with time zone not null default now(),
  one_run_at_a_time boolean not null default false,
  has_sign boolean not null default false,
  primary key (id)
);

create table controller_message (
  to_controller uuid not null,
  from_controller uuid not null,
  number bigint not null,
  run_id bigint,
  epoch integer,
  body text not null,
  foreign key (to_controller) references controller(id) on delete cascade,
  primary key (to_controller, from_controller, number)
);

create table evaluation (
  id bigint not null generated always as identity,
  document jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  updated_by text,
  tags text[] not null default '{}'::text[],
  note text not null default ''::text,
  changed_from_run bigint,
  erased_at timestamp with time zone,
  retention jsonb,
  foreign key (changed_from_run) references run(id) on delete set null,
  primary key (id)
);
create index evaluation_changed_from_run on evaluation (changed_from_run) where (changed_from_run is not null);
create index evaluation_erased on evaluation (id) where (erased_at is not null);

create table evaluator (
  id bigint not null generated always as identity,
  name text not null,
  password_hash text not null,
  created_at timestamp with time zone not null default now(),
  role role not null,
  primary key (id),
  unique (name)
);

create table exclusion (
  id bigint not null generated always as identity,
  visit_id uuid not null,
  reason text not null,
  excluded_by text not null,
  excluded_at timestamp with time zone not null default now(),
  reversal_reason text,
  reversed_by text,
  reversed_at timestamp with time zone,
  check ((((reversed_at is null) = (reversed_by is null)) and ((reversed_at is null) = (reversal_reason is null)))),
  foreign key (visit_id) references visit(id) on delete cascade,
  primary key (id)
);
create unique index exclusion_in_force on exclusion (visit_id) where (reversed_at is null);
create index exclusion_visit on exclusion (visit_id);

create table http_version_rollup (
  run_id bigint not null,
  scenario text not null,
  url text not null,
  version text not null,
  objects bigint not null,
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id, scenario, url, version)
);

create table instance (
  is_only boolean not null default true,
  id text not null default substr(replace((gen_random_uuid())::text, '-'::text, ''::text), 1, 16),
  retention jsonb not null default '{"visitDays": null, "snapshotDays": null}'::jsonb,
  check (is_only),
  primary key (is_only)
);

create table migration (
  id integer not null default nextval('migration_id_seq'::regclass),
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  primary key (id)
);

create table pass (
  id uuid not null,
  round_id uuid not null,
  user_agent text not null,
  agent text not null,
  state text not null default 'ordered'::text,
  visits_expected integer not null,
  started_at timestamp with time zone,
  problem text,
  engine_version text,
  host_load jsonb,
  visits_made integer,
  visits_failed integer,
  visits_unsettled integer,
  failures jsonb,
  check ((state = any (array['ordered'::text, 'ready'::text, 'running'::text, 'ended'::text, 'completed'::text, 'lost'::text]))),
  foreign key (round_id) references round(id) on delete cascade,
  primary key (id),
  unique (round_id, user_agent)
);

create table picture_file (
  sha256 text not null,
  bytes bigint not null,
  received_at timestamp with time zone not null default now(),
  store uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  primary key (sha256, store)
);
create index picture_file_received_at on picture_file (received_at desc);

create table refused_visit (
  visit_id uuid not null,
  pass_id uuid not null,
  code text not null,
  refused_at timestamp with time zone not null default now(),
  foreign key (pass_id) references pass(id) on delete cascade,
  primary key (visit_id)
);
create index refused_visit_pass on refused_visit (pass_id);

create table round (
  id uuid not null default gen_random_uuid(),
  run_id bigint not null,
  index integer not null,
  block integer not null,
  scenario text not null,
  warm_up boolean not null,
  attempt integer not null,
  state text not null default 'preparing'::text,
  problem text,
  start_skew_ms double precision,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  link_check jsonb,
  rolled_up boolean not null default false,
  start_skew_error_ms double precision,
  first_packet_skew_ms double precision,
  first_packet_skew_error_ms double precision,
  first_request_skew_ms double precision,
  first_request_skew_error_ms double precision,
  page_skew_ms double precision,
  page_skew_error_ms double precision,
  check ((state = any (array['preparing'::text, 'running'::text, 'collecting'::text, 'completed'::text, 'broken'::text]))),
  foreign key (run_id) references run(id) on delete cascade,
  primary key (id),
  unique (run_id, index, attempt)
);

create table run (
  id bigint not null generated always as identity,
  evaluation_id bigint not null,
  document jsonb not null,
  seed bigint not null,
  state text not null default 'pending'::text,
  problem text,
  rounds_planned integer not null,
  owner text,
  epoch integer not null default 0,
  owner_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  revision integer not null default 0,
  requested_by text,
  paused_at timestamp with time zone,
  paused_ms double precision not null default 0,
  is_try boolean not null default false,
  agents text[],
  name text not null generated always as (coalesce((document ->> 'name'::text), ''::text)) stored,
  tags text[] not null default '{}'::text[],
  note text not null default ''::text,
  hosts jsonb,
  labels jsonb not null default '{}'::jsonb,
  deleted_at timestamp with time zone,
  snapshots_deleted_at timestamp with time zone,
  visits_deleted_at timestamp with time zone,
  is_clearing boolean not null default false,
  shared text[],
  settings_md5 text not null generated always as (md5(((((((document - 'name'::text) - 'description'::text) - 'figures'::text) - 'resources'::text) - 'trend'::text))::text)) stored,
  check ((state = any (array['pending'::text, 'running'::text, 'stopping'::text, 'completed'::text, 'stopped'::text, 'failed'::text]))),
  foreign key (evaluation_id) references evaluation(id),
  primary key (id)
);
create index run_clearing on run (id) where is_clearing;
create index run_evaluation on run (evaluation_id);
create index run_open on run (id) where (state = any (array['pending'::text, 'running'::text, 'stopping'::text]));

create table run_beside (
  run_id bigint not null,
  other_id bigint not null,
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id, other_id)
);

create table run_digest (
  run_id bigint not null,
  revision integer not null,
  ended_at timestamp with time zone not null,
  definition text not null,
  visits integer not null,
  failed_visits integer not null,
  outcome jsonb not null,
  trend jsonb,
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id)
);

create table run_threshold (
  run_id bigint not null,
  side text not null,
  crosses boolean not null,
  judged_at timestamp with time zone not null default now(),
  attempts smallint not null default 0,
  tried_at timestamp with time zone,
  delivered_at timestamp with time zone,
  problem text,
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id)
);
create index run_threshold_to_deliver on run_threshold (run_id) where (crosses and (delivered_at is null));

create table script_execution (
  id uuid not null,
  round_id uuid not null,
  phase text not null,
  host text not null,
  script text not null,
  exit_code integer,
  is_timed_out boolean not null,
  duration_ms double precision not null,
  output text not null,
  ended_at timestamp with time zone not null default now(),
  name text,
  problem text,
  check ((phase = any (array['set-up'::text, 'after-network'::text, 'process'::text, 'tear-down'::text]))),
  foreign key (round_id) references round(id) on delete cascade,
  primary key (id)
);
create index script_execution_round on script_execution (round_id);

create table session (
  token_hash bytea not null,
  evaluator_id bigint,
  csrf_token text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  id bigint not null generated always as identity,
  role role,
  last_used_at timestamp with time zone not null default now(),
  browser text,
  check (((evaluator_id is null) = (role is not null))),
  foreign key (evaluator_id) references evaluator(id) on delete cascade,
  primary key (token_hash),
  unique (id)
);

create table sign_in_ticket (
  ticket_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  id bigint not null generated always as identity,
  role role not null,
  made_by text,
  evaluator_id bigint,
  foreign key (evaluator_id) references evaluator(id) on delete cascade,
  primary key (ticket_hash),
  unique (id)
);

create table site (
  id uuid not null default gen_random_uuid(),
  name text not null,
  sha256 text not null,
  bytes bigint not null,
  summary jsonb not null,
  document bytea not null,
  uploaded_by text not null,
  uploaded_at timestamp with time zone not null default now(),
  primary key (id),
  unique (name),
  unique (sha256)
);

create table snapshot (
  visit_id uuid not null,
  body jsonb,
  compressed bytea,
  check ((num_nonnulls(body, compressed) = 1)) not valid,
  foreign key (visit_id) references visit(id) on delete cascade,
  primary key (visit_id)
);

create table stop_decision (
  run_id bigint not null,
  block integer not null,
  decision jsonb not null,
  decided_at timestamp with time zone not null default now(),
  foreign key (run_id) references run(id) on delete cascade,
  primary key (run_id, block)
);

create table token (
  id bigint not null generated always as identity,
  name text not null,
  scope text not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  role role,
  evaluator_id bigint,
  made_by text,
  agent_name text,
  session_id bigint,
  check (((agent_name is null) or (scope = 'agent'::text))),
  check (((scope = 'api'::text) = (role is not null))),
  check ((role = any (array['viewer'::role, 'evaluator'::role]))),
  check ((scope = any (array['agent'::text, 'api'::text]))),
  foreign key (evaluator_id) references evaluator(id) on delete set null,
  foreign key (session_id) references session(id) on delete set null,
  primary key (id),
  unique (token_hash)
);
create index token_session on token (session_id) where (evaluator_id is null);

create table unclaimed_trace (
  sha256 text not null,
  noted_at timestamp with time zone not null default now(),
  token_id bigint,
  bytes bigint,
  store uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  foreign key (token_id) references token(id) on delete set null,
  primary key (sha256, store)
);
create index unclaimed_trace_noted_at on unclaimed_trace (noted_at);
create index unclaimed_trace_token on unclaimed_trace (token_id);

create table visit (
  id uuid not null,
  pass_id uuid not null,
  sequence integer not null,
  url text not null,
  repetition integer not null,
  started_at timestamp with time zone not null,
  clock_offset_ms double precision not null,
  clock_error_ms double precision not null,
  status text not null,
  code text,
  detail text,
  is_settled boolean,
  is_hidden boolean,
  metrics_version integer not null,
  readings jsonb not null,
  absences jsonb not null,
  stored_at timestamp with time zone not null default now(),
  base_ms double precision generated always as (
case
    when (status = 'ok'::text) then ((readings ->> 'baseMs'::text))::double precision
    else null::double precision
end) stored,
  viewport_ms double precision generated always as (
case
    when (status = 'ok'::text) then ((readings ->> 'viewportMs'::text))::double precision
    else null::double precision
end) stored,
  total_ms double precision generated always as (
case
    when (status = 'ok'::text) then ((readings ->> 'totalMs'::text))::double precision
    else null::double precision
end) stored,
  screenshot jsonb,
  filmstrip jsonb,
  http_versions jsonb,
  failed_objects integer generated always as (
case
    when (status = 'ok'::text) then ((readings ->> 'failedObjectCount'::text))::integer
    else null::integer
end) stored,
  address text,
  request_delay_ms double precision,
  host_delay_ms double precision,
  causes bytea,
  critical_path double precision[],
  causes_version smallint,
  check (((status = 'failed'::text) = (code is not null))),
  check ((status = any (array['ok'::text, 'failed'::text]))),
  foreign key (pass_id) references pass(id) on delete cascade,
  primary key (id)
);
create index visit_filmstrip on visit using gin (jsonb_path_query_array(filmstrip, '$."frames"[*]."sha256"'::jsonpath) jsonb_path_ops) where (filmstrip is not null);
create index visit_flagged on visit (pass_id) where ((status = 'failed'::text) or (not is_settled) or is_hidden);
create index visit_pass_sequence on visit (pass_id, sequence);
create index visit_screenshot on visit (((screenshot ->> 'sha256'::text))) where ((screenshot ->> 'sha256'::text) is not null);
create index visit_with_failed_objects on visit (pass_id) where (failed_objects > 0);

create view pass_capture as
 SELECT capture.pass_id,
    capture.outcome,
    capture.visits,
    wire.bytes AS packet_bytes,
    browser.bytes AS browser_bytes,
    (COALESCE(((capture.outcome ->> 'isLimited'::text))::boolean, false) OR (wire.bytes < GREATEST((browser.bytes / (4)::double precision), (browser.bytes - ((1000)::double precision * browser.objects))))) AS is_short
   FROM capture,
    LATERAL ( SELECT (((((capture.outcome -> 'statistics'::text) -> 'directions'::text) -> 'received'::text) -> 'bytes'::text))::double precision AS bytes) wire,
    LATERAL ( SELECT sum(((visit.readings -> 'receivedBytes'::text))::double precision) AS bytes,
            sum(((visit.readings -> 'objectCount'::text))::double precision) AS objects
           FROM visit
          WHERE (visit.pass_id = capture.pass_id)) browser
  WHERE (capture.pass_id IS NOT NULL);

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Entries of the audit log are neither changed nor removed';
end $function$;

create trigger audit_entry_stays before delete or update or truncate on public.audit_entry for each statement execute function refuse_audit_change();

create trigger audit_script_stays before delete or update or truncate on public.audit_script for each statement execute function refuse_audit_change();
