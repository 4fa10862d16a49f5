-- Up Migration

-- By which version of HTTP the objects of a Visit came, as an object of version → count. Null where nothing was seen of the page, and of Visits stored before this was kept: a Run of
-- a million has tens of gigabytes of Snapshots, which are not all read for it.
alter table visit add column http_versions jsonb;

-- Of one URL under one Scenario over the Rounds of a Run.
create table http_version_rollup (
  run_id bigint not null references run on delete cascade,
  scenario text not null,
  url text not null,
  version text not null,
  objects bigint not null,
  primary key (run_id, scenario, url, version)
);

-- Down Migration

drop table http_version_rollup;
alter table visit drop column http_versions;
