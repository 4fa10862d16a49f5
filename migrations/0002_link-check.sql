-- Up Migration

-- What the emulated link was measured to do right before the Round; null where the Scenario has no emulated network.
alter table round add column link_check jsonb;

-- Down Migration

alter table round drop column link_check;
