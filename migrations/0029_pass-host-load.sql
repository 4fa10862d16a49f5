-- Up Migration

-- How busy its host was over the Pass, as its Agent reported; null where it reported nothing.
alter table pass add column host_load jsonb;

-- Down Migration

alter table pass drop column host_load;
