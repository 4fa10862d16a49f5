-- Up Migration

-- What each latency of a Visit is made of: the parts of one latency after those of the other. Null where they are not derived yet, or cannot be.
alter table visit add column causes double precision[];
-- By which version of the definitions they were derived.
alter table visit add column causes_version smallint;

-- Down Migration

alter table visit drop column causes_version;
alter table visit drop column causes;
