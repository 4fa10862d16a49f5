-- Up Migration

-- Visits of a Pass that its Agent made and that can never be stored; the Agent keeps them aside. Of a Pass the first thousand are noted.
create table refused_visit (
  visit_id uuid primary key,
  pass_id uuid not null references pass on delete cascade,
  code text not null,
  refused_at timestamptz not null default now()
);
create index refused_visit_pass on refused_visit (pass_id);

-- Down Migration

drop table refused_visit;
