"""Makes reference-scipy.json with numpy and scipy: python3 make-reference-scipy.py > reference-scipy.json (in this folder)."""

import json
import platform

import numpy as np
import scipy
from scipy import stats
from scipy.stats._resampling import _bca_interval

samples = json.load(open("samples.json"))
rng = np.random.default_rng(20111007)
everything = stats.PermutationMethod(n_resamples=np.inf)


def shape(values):
    x = np.array(values, float)
    n = len(x)
    skew = stats.skew(x, bias=False) if n > 2 else None
    kurtosis = stats.kurtosis(x, bias=False) if n > 3 else None
    bimodality = None if kurtosis is None else (skew**2 + 1) / (kurtosis + 3 * (n - 1) ** 2 / ((n - 2) * (n - 3)))
    return {"values": x.tolist(), "skewness": skew, "excessKurtosis": kurtosis, "bimodalityCoefficient": bimodality}


shapes = {name: shape(pair[0]) for name, pair in samples["pairs"].items()}
shapes["two modes"] = shape(np.concatenate([rng.normal(100, 5, 30), rng.normal(200, 5, 30)]))
shapes["normal"] = shape(rng.normal(100, 5, 50))

ranked = {}
for name, (first, second) in samples["pairs"].items():
    x, y = np.array(first, float), np.array(second, float)
    d = x - y
    entry = {"first": x.tolist(), "second": y.tolist()}
    if np.any(d != 0):
        changed = d[d != 0]
        # V is the sum of the positive ranks, as with alternative="greater"; p of all signs given the (mid-)ranks
        entry["signedRank"] = {"statistic": float(stats.wilcoxon(changed, alternative="greater").statistic), "p": float(stats.wilcoxon(changed, method=everything).pvalue)}
    test = stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=np.inf)
    entry["permutation"] = float(test.pvalue)
    if len(x) <= 9:
        u = stats.mannwhitneyu(x, y, method=everything)
        entry["mannWhitney"] = {"statistic": float(u.statistic), "p": float(u.pvalue)}
    signs = np.sign(x[:, None] - y[None, :])
    entry["cliffsDelta"] = float(signs.mean())
    entry["probabilityFirstIsSmaller"] = float((signs < 0).mean() + 0.5 * (signs == 0).mean())
    logs = np.log(y / x)
    if np.ptp(logs) > 0:
        margin = -np.log(1 - 0.05)
        entry["equivalence"] = float(max(stats.ttest_1samp(logs, -margin, alternative="greater").pvalue, stats.ttest_1samp(logs, margin, alternative="less").pvalue))
    ranked[name] = entry

bca = []
for values in (rng.normal(-0.3, 0.1, 12), rng.lognormal(0, 0.8, 20), np.array([1.0, 1.0, 2.0, 4.0])):
    n = len(values)
    replicates = np.sort(values[rng.integers(0, n, (300, n))].mean(axis=1))
    for confidence in (0.9, 0.95):
        low, high = _bca_interval((values,), lambda x, axis=-1: np.mean(x, axis=axis), -1, (1 - confidence) / 2, replicates, None, np)[:2]
        ends = np.percentile(replicates, [100 * float(low), 100 * float(high)])
        jackknife = (values.sum() - values) / (n - 1)
        bca.append({"confidence": confidence, "estimate": float(values.mean()), "replicates": replicates.tolist(), "jackknife": jackknife.tolist(), "low": float(ends[0]), "high": float(ends[1])})

print(json.dumps({"madeWith": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
                  "shapes": shapes, "ranked": ranked, "bca": bca}, indent=1))
