-- Up Migration

-- The three latencies of a Visit that loaded as columns, so that a report over many Visits parses no JSON. A failed Visit has none.
alter table visit
  add column base_ms double precision generated always as (case when status = 'ok' then (readings ->> 'baseMs')::double precision end) stored,
  add column viewport_ms double precision generated always as (case when status = 'ok' then (readings ->> 'viewportMs')::double precision end) stored,
  add column total_ms double precision generated always as (case when status = 'ok' then (readings ->> 'totalMs')::double precision end) stored;

-- Down Migration

alter table visit drop column base_ms, drop column viewport_ms, drop column total_ms;
