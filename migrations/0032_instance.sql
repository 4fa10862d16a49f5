-- Up Migration

-- Which installation this database belongs to. Cookies do not know ports, so that the name of each installation's cookie has its id.
create table instance (
  is_only boolean primary key default true check (is_only),
  id text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
);
insert into instance default values;

-- Down Migration

drop table instance;
