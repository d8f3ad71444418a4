# Selectors of columns to stand beside refinement: boruta, rfecv or mutual-information, on TRAIN alone, kept columns as JSON.
# Usage: refinement_peers.py SELECTOR TRAIN.csv SEED
import json
import sys
import time

import numpy as np
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV, mutual_info_classif
from sklearn.model_selection import StratifiedKFold

from refinement_columns import Columns, read

BORUTA_TREES = 100
BORUTA_ITERATIONS = 20
LEAST_SHADOWS = 5
RFECV_TREES = 50
RFECV_STEP = 0.1
RFECV_FOLDS = 3
MOST_LEVELS = 50


def boruta(X, y, columns, seed):
    """Kursa and Rudnicki 2010, all columns against the greatest shadow, binomial tests at .05 with Bonferroni's correction.

    Kept: what is confirmed, and of the undecided after 20 iterations what won more than half of them.
    """
    random = np.random.default_rng(seed)
    hits = np.zeros(X.shape[1], dtype=int)
    state = np.zeros(X.shape[1], dtype=int)
    for iteration in range(1, BORUTA_ITERATIONS + 1):
        active = np.flatnonzero(state >= 0)
        shadowed = np.resize(active, max(len(active), LEAST_SHADOWS))
        shadows = random.permuted(X[:, shadowed], axis=0)
        forest = RandomForestClassifier(BORUTA_TREES, random_state=seed * 1000 + iteration)
        gain = forest.fit(np.hstack([X[:, active], shadows]), y).feature_importances_
        hits[active] += gain[: len(active)] > gain[len(active) :].max()
        open_ = state == 0
        state[open_ & (binom.sf(hits - 1, iteration, 0.5) * X.shape[1] <= 0.05)] = 1
        state[open_ & (binom.cdf(hits, iteration, 0.5) * X.shape[1] <= 0.05)] = -1
        if not (state == 0).any() or not (state >= 0).any():
            break
    return (state == 1) | ((state == 0) & (hits > iteration / 2))


def rfecv(X, y, columns, seed):
    """Recursive elimination of a tenth of the columns at a time, by a small forest, at the best cross-validated accuracy."""
    selector = RFECV(
        RandomForestClassifier(RFECV_TREES, random_state=seed),
        step=RFECV_STEP,
        min_features_to_select=1,
        cv=StratifiedKFold(RFECV_FOLDS, shuffle=True, random_state=seed),
    )
    return selector.fit(X, y).support_


def mutual_information(X, y, columns, seed):
    """Columns above the greatest mutual information of any shuffled column, one shuffled copy of each.

    Categories of many levels count as numbers: an identifier, shuffled, would tell every label and so bar all columns.
    """
    random = np.random.default_rng(seed)
    is_discrete = [len(columns.levels.get(c, ())) in range(1, MOST_LEVELS + 1) for c in columns.features]
    both = np.hstack([X, random.permuted(X, axis=0)])
    scores = mutual_info_classif(both, y, discrete_features=np.tile(is_discrete, 2), random_state=seed)
    return scores[: X.shape[1]] > scores[X.shape[1] :].max()


SELECTORS = {"boruta": boruta, "rfecv": rfecv, "mutual-information": mutual_information}


def main():
    name, path, seed = sys.argv[1:4]
    start = time.perf_counter()
    train = read(path)
    columns = Columns(train)
    X = columns.ordinal(train).to_numpy()
    kept = SELECTORS[name](X, train[columns.label].to_numpy(), columns, int(seed))
    names = [column for column, keep in zip(columns.features, kept) if keep]
    print(json.dumps({"kept": names, "seconds": time.perf_counter() - start}))


main()
