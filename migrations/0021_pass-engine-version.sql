-- Up Migration

-- What loaded the pages of a Pass, such as Chrome/140.0.7339.80, as its Agent told when the Round was ordered: a browser may be updated between two Runs, and in one.
alter table pass add column engine_version text;

-- Down Migration

alter table pass drop column engine_version;
