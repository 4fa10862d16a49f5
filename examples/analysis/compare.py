"""Compares every Scenario of a Run with its baseline, as the report does:

  ./http-ae export RUN --format csv --output visits.csv
  python3 examples/analysis/compare.py visits.csv BASELINE [COLUMN]

Columns: docs/data-dictionary.md. Needs no package: the interval is a percentile bootstrap over Blocks, as Python's own
library has no t distribution; the report and compare.R have a t interval, which is a little wider with few Blocks.
"""
import csv
import math
import random
import sys
from collections import defaultdict
from statistics import fmean


def is_counted(visit):
    return visit["warm_up"] == "false" and visit["round_state"] == "completed" and int(visit["repetition"]) > 0 and visit["excluded"] == "false"


def main(file, baseline, column="total_ms"):
    with open(file, newline="", encoding="utf-8") as source:
        counted = [visit for visit in csv.DictReader(source) if is_counted(visit)]

    # One value per Scenario, Block and page. A failed Visit has no latency, and is counted as a failure.
    values = defaultdict(list)
    for visit in counted:
        if visit["status"] == "ok" and visit[column] != "":
            values[visit["scenario"], visit["block"], visit["user_agent"], visit["url"]].append(float(visit[column]))

    # The logarithm of each page's ratio to the baseline's in the same Block.
    log_ratios = defaultdict(lambda: defaultdict(dict))
    for (scenario, block, *page), own in values.items():
        other = values.get((baseline, block, *page))
        if scenario != baseline and other:
            log_ratios[scenario][tuple(page)][block] = math.log(fmean(own) / fmean(other))

    generator = random.Random(7)
    for scenario, pages in log_ratios.items():
        # Pages of one Block depend on each other: they make one observation. It is their mean where none is missing; otherwise how
        # much those that are there differ from their own means, so that a Block in which the slowest page failed does not look fast.
        deviations = defaultdict(list)
        for by_block in pages.values():
            for block, log_ratio in by_block.items():
                deviations[block].append(log_ratio - fmean(by_block.values()))
        grand_mean = fmean(fmean(by_block.values()) for by_block in pages.values())
        blocks = [grand_mean + fmean(of_block) for of_block in deviations.values()]
        means = sorted(fmean(generator.choices(blocks, k=len(blocks))) for _ in range(5000))
        low, high = 1 - math.exp(means[4874]), 1 - math.exp(means[124])
        failed = fmean(visit["status"] == "failed" for visit in counted if visit["scenario"] == scenario)
        print(f"{scenario}: reduction {1 - math.exp(fmean(blocks)):.4f} (95 % interval {low:.4f} to {high:.4f}), {len(blocks)} Blocks, {100 * failed:.1f} % of Visits failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
