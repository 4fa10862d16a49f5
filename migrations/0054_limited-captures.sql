-- Up Migration

-- A Capture that ended at the longest trace that the Evaluation allows lacks the rest of its Pass: it is as short as one that holds less than the browser received.
create or replace view pass_capture as
select capture.pass_id, capture.outcome, capture.visits, wire.bytes as packet_bytes, browser.bytes as browser_bytes,
  coalesce((capture.outcome->>'isLimited')::boolean, false) or wire.bytes < greatest(browser.bytes / 4, browser.bytes - 1000 * browser.objects) as is_short
from capture,
  lateral (select (outcome->'statistics'->'directions'->'received'->'bytes')::float8 as bytes) as wire,
  lateral (select sum((readings->'receivedBytes')::float8) as bytes, sum((readings->'objectCount')::float8) as objects
    from visit where visit.pass_id = capture.pass_id) as browser
where capture.pass_id is not null;

-- Down Migration

create or replace view pass_capture as
select capture.pass_id, capture.outcome, capture.visits, wire.bytes as packet_bytes, browser.bytes as browser_bytes,
  wire.bytes < greatest(browser.bytes / 4, browser.bytes - 1000 * browser.objects) as is_short
from capture,
  lateral (select (outcome->'statistics'->'directions'->'received'->'bytes')::float8 as bytes) as wire,
  lateral (select sum((readings->'receivedBytes')::float8) as bytes, sum((readings->'objectCount')::float8) as objects
    from visit where visit.pass_id = capture.pass_id) as browser
where capture.pass_id is not null;
