-- Up Migration

-- What each latency of a Visit is made of: the parts of one latency after those of the other, as doubles with their least byte first. Null where they are not derived.
alter table visit add column causes bytea;
-- When it waited for the network on the critical path of its total latency: starts and ends in turn, epoch ms on the clock of its Agent.
alter table visit add column network_waits double precision[];
-- By which version of the definitions both were derived.
alter table visit add column causes_version smallint;

-- Down Migration

alter table visit drop column causes_version;
alter table visit drop column network_waits;
alter table visit drop column causes;
