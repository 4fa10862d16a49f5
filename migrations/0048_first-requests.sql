-- Up Migration

-- From the order to load to the first request, and how long the host itself kept the Visit's programs waiting.
alter table visit add column request_delay_ms double precision;
alter table visit add column host_delay_ms double precision;
-- How far apart the first requests of the User Agents were sent.
alter table round add column first_request_skew_ms double precision;
alter table round add column first_request_skew_error_ms double precision;

-- Down Migration

alter table round drop column first_request_skew_error_ms;
alter table round drop column first_request_skew_ms;
alter table visit drop column host_delay_ms;
alter table visit drop column request_delay_ms;
