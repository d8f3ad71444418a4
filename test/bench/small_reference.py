# The p-values of scipy for the samples that small-reference.ts --check sends, as Evidently asks for them.
import json
import sys

import numpy as np
from scipy.stats import chisquare, ks_2samp


def chance(case):
    trained, batch = np.array(case["trained"]), np.array(case["batch"])
    if case["kind"] == "ks":
        values = np.arange(len(trained))
        return ks_2samp(np.repeat(values, trained), np.repeat(values, batch), mode="exact").pvalue
    there = (trained + batch) > 0
    return chisquare(trained[there] * (batch.sum() / trained.sum()), batch[there])[1]


json.dump([float(chance(case)) for case in json.load(sys.stdin)], sys.stdout)
