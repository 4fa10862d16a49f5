-- Compares every Scenario of a Run with its baseline, as the report does, in DuckDB:
--   ./http-ae export RUN --format parquet --output run
--   duckdb -cmd "set variable folder = 'run'; set variable baseline = 'BASELINE'" < examples/analysis/compare.sql
-- Columns: docs/data-dictionary.md. standard_error is that of the logarithm: the report's interval is 1 - exp(mean ± t * standard_error).
with counted as (
  -- The Visits that count. A failed Visit has no latency, and is counted as a failure.
  select * from read_parquet(getvariable('folder') || '/visits.parquet')
  where not warm_up and round_state = 'completed' and repetition > 0 and not excluded
), pages as (
  select scenario, block, user_agent, url, avg(total_ms) as ms from counted where status = 'ok' and total_ms is not null group by all
), ratios as (
  -- The logarithm of each page's ratio to the baseline's in the same Block, and its mean over the Blocks.
  select own.scenario, own.block, user_agent, url, ln(own.ms / other.ms) as log_ratio, avg(log_ratio) over (partition by own.scenario, user_agent, url) as page_mean
  from pages as own join pages as other using (block, user_agent, url)
  where other.scenario = getvariable('baseline') and own.scenario <> other.scenario
), means as (
  select scenario, avg(page_mean) as grand_mean from (select distinct scenario, user_agent, url, page_mean from ratios) group by all
), blocks as (
  -- Pages of one Block depend on each other: they make one observation. It is their mean where none is missing; otherwise how much
  -- those that are there differ from their own means, so that a Block in which the slowest page failed does not look fast.
  select scenario, block, any_value(grand_mean) + avg(log_ratio - page_mean) as value from ratios join means using (scenario) group by all
)
select scenario, 1 - exp(avg(value)) as reduction, stddev_samp(value) / sqrt(count(*)) as standard_error, count(*) as blocks
from blocks group by scenario order by scenario;
