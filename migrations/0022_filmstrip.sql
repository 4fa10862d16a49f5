-- Up Migration

-- What an Agent tells of a Visit's filmstrip: its frames with their times and the hashes of their files, or why there is none. Null where none was asked for.
alter table visit add column filmstrip jsonb;

-- Its files are kept with those of screenshots.
alter table screenshot_file rename to picture_file;
alter index screenshot_file_received_at rename to picture_file_received_at;

-- Down Migration

alter index picture_file_received_at rename to screenshot_file_received_at;
alter table picture_file rename to screenshot_file;
alter table visit drop column filmstrip;
