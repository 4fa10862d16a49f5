-- Up Migration

-- How far apart the User Agents of a Round in step sent the first requests of a page after the first: the largest of all these pages.
alter table round add column page_skew_ms double precision;
alter table round add column page_skew_error_ms double precision;

-- Down Migration

alter table round drop column page_skew_error_ms;
alter table round drop column page_skew_ms;
