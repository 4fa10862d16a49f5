-- Up Migration

-- What each latency of a Visit is made of: the parts of one latency after those of the other, as doubles with their least byte first. Null where they are not derived.
alter table visit add column causes bytea;
-- The critical path of its total latency: the place of the cause, start and end of each step, epoch ms on the clock of its Agent.
alter table visit add column critical_path double precision[];
-- By which version of the definitions both were derived.
alter table visit add column causes_version smallint;

-- Down Migration

alter table visit drop column causes_version;
alter table visit drop column critical_path;
alter table visit drop column causes;
