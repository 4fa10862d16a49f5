-- Up Migration

-- As their Agents compressed them, by zstd or gzip: PostgreSQL neither reads nor compresses them again. Those of before stay as they are, as jsonb:
-- a database has terabytes of them, which are not all written again for it.
alter table snapshot alter column body drop not null;
alter table snapshot add column compressed bytea;
alter table snapshot alter column compressed set storage external;
-- Rows of before have a body: they need not be looked at.
alter table snapshot add check (num_nonnulls(body, compressed) = 1) not valid;

-- Down Migration

-- A Visit without its Snapshot keeps its Readings.
delete from snapshot where body is null;
alter table snapshot drop column compressed;
alter table snapshot alter column body set not null;
