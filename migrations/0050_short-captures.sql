-- Up Migration

-- The Captures of Passes, and whether one holds less than the browser received in its Visits: then the pages' packets passed another interface, and its figures are false.
-- A browser may count the heads of answers as text, of up to 1000 bytes each, where the packets had them compressed.
create view pass_capture as
select capture.pass_id, capture.outcome, capture.visits, wire.bytes as packet_bytes, browser.bytes as browser_bytes,
  wire.bytes < greatest(browser.bytes / 4, browser.bytes - 1000 * browser.objects) as is_short
from capture,
  lateral (select (outcome->'statistics'->'directions'->'received'->'bytes')::float8 as bytes) as wire,
  lateral (select sum((readings->'receivedBytes')::float8) as bytes, sum((readings->'objectCount')::float8) as objects
    from visit where visit.pass_id = capture.pass_id) as browser
where capture.pass_id is not null;

-- Down Migration

drop view pass_capture;
