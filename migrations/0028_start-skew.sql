-- Up Migration

-- How far off the start skew may be, and the skew of the first packets of the User Agents, where those of all were captured.
alter table round add column start_skew_error_ms double precision;
alter table round add column first_packet_skew_ms double precision;
alter table round add column first_packet_skew_error_ms double precision;

-- Down Migration

alter table round drop column first_packet_skew_error_ms;
alter table round drop column first_packet_skew_ms;
alter table round drop column start_skew_error_ms;
