"""Makes reference.json with numpy and scipy: python3 make-reference.py > reference.json"""

import json
import platform

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20111007)
samples = {
    "two values": [100.0, 104.0],
    "five values": [812.5, 799.25, 840.0, 805.75, 821.5],
    "ties": [10.0, 10.0, 12.0, 12.0, 12.0, 15.0],
    "constant": [250.0, 250.0, 250.0, 250.0],
    "large offset": [1e9 + 1, 1e9 + 2, 1e9 + 4, 1e9 + 7],
    "lognormal": [float(value) for value in rng.lognormal(7, 0.6, 40)],
}
means = []
for name, values in samples.items():
    for confidence in (0.9, 0.95, 0.99):
        n = len(values)
        half = stats.t.ppf((1 + confidence) / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n)
        means.append({"name": name, "confidence": confidence, "values": values, "mean": float(np.mean(values)),
                      "standardDeviation": float(np.std(values, ddof=1)), "halfWidth": float(half)})

# blocks x pages, one visit each, as a Scenario and its baseline
baseline = rng.lognormal(7, 0.4, (6, 4))
scenario = baseline * rng.lognormal(-0.3, 0.1, (6, 4))
log_ratios = np.log(scenario / baseline).mean(axis=1)
low, high = stats.t.interval(0.95, len(log_ratios) - 1, loc=log_ratios.mean(), scale=stats.sem(log_ratios))
reduction = {"baseline": baseline.tolist(), "scenario": scenario.tolist(), "ratio": float(1 - np.exp(log_ratios.mean())),
             "low": float(1 - np.exp(high)), "high": float(1 - np.exp(low))}

print(json.dumps({"madeWith": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
                  "means": means, "reduction": reduction}, indent=1))
