-- Up Migration

-- Rises whenever what counts in a Run is changed after it was measured: when a Visit is excluded, or an exclusion is reversed.
alter table run add column revision integer not null default 0;

-- Down Migration

alter table run drop column revision;
