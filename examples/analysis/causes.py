"""Prints the mean of each cause under every Scenario of a Run, as the bars of the report show them:

  ./http-ae export RUN --format csv --output visits.csv
  python3 examples/analysis/causes.py visits.csv [base|viewport|total]

Causes: docs/causes.md. Needs no package. The report's bars are of the pages that every Scenario has.
"""
import csv
import sys
from collections import defaultdict
from statistics import fmean


def main(file, latency="total"):
    with open(file, newline="", encoding="utf-8") as source:
        visits = list(csv.DictReader(source))
    columns = [name for name in visits[0] if name.startswith(f"{latency}_cause_")]
    counted = [
        visit
        for visit in visits
        if visit["warm_up"] == "false" and visit["round_state"] == "completed" and int(visit["repetition"]) > 0
        and visit["excluded"] == "false" and visit["status"] == "ok" and visit[columns[0]] != ""
    ]

    # One value per Scenario, page and Block: the mean of its Visits.
    values = defaultdict(lambda: defaultdict(list))
    for visit in counted:
        values[visit["scenario"], visit["user_agent"], visit["url"]][visit["block"]].append([float(visit[column]) for column in columns])
    scenarios = list(dict.fromkeys(scenario for scenario, *_ in values))
    common = [page for page in {key[1:] for key in values} if all((scenario, *page) in values for scenario in scenarios)]

    for scenario in sorted(scenarios):
        means = []
        for place, _ in enumerate(columns):
            pages = [{block: fmean(own[place] for own in visits) for block, visits in values[scenario, *page].items()} for page in common]
            # A page that is missing in a Block counts there with its own mean, moved as much as the others differ from theirs.
            deviations = defaultdict(list)
            for of_block in pages:
                for block, value in of_block.items():
                    deviations[block].append(value - fmean(of_block.values()))
            means.append(fmean(fmean(of_block.values()) for of_block in pages) + fmean(map(fmean, deviations.values())))
        parts = ", ".join(f"{column} {ms:.1f}" for column, ms in zip(columns, means) if ms >= 0.05)
        print(f"{scenario}: {sum(means):.1f} ms = {parts}")


if __name__ == "__main__":
    main(*sys.argv[1:])
