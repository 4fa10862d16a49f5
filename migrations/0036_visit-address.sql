-- Up Migration

-- What a Visit loaded, where a Scenario has variables; null: its url, which is the page.
alter table visit add column address text;

-- Down Migration

alter table visit drop column address;
