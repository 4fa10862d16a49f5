"""Compares every Scenario of a Run with its baseline, as the report does:

  ./http-ae export RUN --format parquet --output run
  python3 examples/analysis/compare_pandas.py run BASELINE [COLUMN]

Columns: docs/data-dictionary.md. Needs pandas and pyarrow. The interval is a percentile bootstrap over Blocks, as in compare.py.
"""
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as parquet


def main(folder, baseline, column="total_ms"):
    file = Path(folder) / "visits.parquet"
    described = {key.decode(): json.loads(value) for key, value in parquet.read_schema(file).metadata.items() if key.startswith(b"http_ae.")}
    run = described["http_ae.run"]
    print(f"Run {run['run']} of {run['evaluation']}, {column} in {described['http_ae.columns'][column]['unit']}")

    # The Visits that count. A failed Visit has no latency, and is counted as a failure.
    visits = pd.read_parquet(file)
    counted = visits[~visits.warm_up & (visits.round_state == "completed") & (visits.repetition > 0) & ~visits.excluded]
    loaded = counted[(counted.status == "ok") & counted[column].notna()]

    # One value per Block and page, then the logarithm of its ratio to the baseline's in the same Block.
    page = ["user_agent", "url"]
    pages = loaded.groupby(["scenario", "block", *page])[column].mean().reset_index(name="value")
    pairs = pages.merge(pages[pages.scenario == baseline], on=["block", *page], suffixes=("", "_baseline"))
    pairs["log_ratio"] = np.log(pairs.value / pairs.value_baseline)

    generator = np.random.default_rng(7)
    for scenario, own in pairs[pairs.scenario != baseline].groupby("scenario"):
        # Pages of one Block depend on each other: they make one observation. It is their mean where none is missing; otherwise how
        # much those that are there differ from their own means, so that a Block in which the slowest page failed does not look fast.
        page_means = own.groupby(page).log_ratio
        deviations = own.log_ratio - page_means.transform("mean")
        blocks = (page_means.mean().mean() + deviations.groupby(own.block).mean()).to_numpy()
        means = generator.choice(blocks, (5000, len(blocks))).mean(axis=1)
        low, high = 1 - np.exp(np.quantile(means, [0.975, 0.025]))
        failed = (counted[counted.scenario == scenario].status == "failed").mean()
        print(f"{scenario}: reduction {1 - np.exp(blocks.mean()):.4f} (95 % interval {low:.4f} to {high:.4f}), {len(blocks)} Blocks, {100 * failed:.1f} % of Visits failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
