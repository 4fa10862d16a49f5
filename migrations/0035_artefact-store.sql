-- Up Migration

-- Which folder holds a file: Controllers on one database may have folders of their own. Each folder has an id, and each Controller counts and removes the files of
-- its own folder alone. The nil UUID: the file came before folders had ids, and any Controller may have it.
alter table unclaimed_trace add column store uuid not null default '00000000-0000-0000-0000-000000000000';
alter table unclaimed_trace drop constraint unclaimed_trace_pkey;
alter table unclaimed_trace add primary key (sha256, store);

alter table picture_file add column store uuid not null default '00000000-0000-0000-0000-000000000000';
alter table picture_file drop constraint screenshot_file_pkey;
alter table picture_file add primary key (sha256, store);

alter table capture add column trace_store uuid not null default '00000000-0000-0000-0000-000000000000';

-- Down Migration

alter table capture drop column trace_store;

delete from picture_file one using picture_file other where one.sha256 = other.sha256 and one.store < other.store;
alter table picture_file drop constraint picture_file_pkey;
alter table picture_file add constraint screenshot_file_pkey primary key (sha256);
alter table picture_file drop column store;

delete from unclaimed_trace one using unclaimed_trace other where one.sha256 = other.sha256 and one.store < other.store;
alter table unclaimed_trace drop constraint unclaimed_trace_pkey;
alter table unclaimed_trace add primary key (sha256);
alter table unclaimed_trace drop column store;
