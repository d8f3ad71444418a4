# CPU milliseconds for each tree of XGBoost (hist) and scikit-learn's HistGradientBoosting, one thread, on cells made elsewhere.
import sys
import time

import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier

row_count, feature_count, warm, blocks, block_rounds = map(int, sys.argv[2:])
cells = np.fromfile(sys.argv[1], dtype=np.uint8).reshape(feature_count + 1, row_count)
features = np.ascontiguousarray(cells[:-1].T.astype(np.float32))
classes = cells[-1].astype(int)


def show(name, times):
    times = sorted(times)
    print(f"{name}: {times[0]:.1f} ms at best, {times[len(times) // 2]:.1f} in the middle", flush=True)


matrix = xgboost.DMatrix(features, classes, nthread=1)
for name, shape in [
    ("depth 6", {"max_depth": 6}),
    ("31 leaves", {"max_depth": 0, "max_leaves": 31, "grow_policy": "lossguide"}),
    ("depth 4", {"max_depth": 4}),
    ("depth 2", {"max_depth": 2}),
]:
    settings = {"tree_method": "hist", "nthread": 1, "objective": "binary:logistic", "eta": 0.1, "max_bin": 256}
    booster = xgboost.Booster({**settings, **shape, "verbosity": 0}, [matrix])
    rounds = 0
    times = []
    for block in range(blocks + 1):
        start = time.process_time()
        count = block_rounds if block else warm
        for _ in range(count):
            booster.update(matrix, rounds)
            rounds += 1
        if block:
            times.append((time.process_time() - start) / count * 1000)
    show(f"xgboost {name}", times)

for name, shape in [("depth 6", {"max_depth": 6, "max_leaf_nodes": None}), ("31 leaves", {"max_leaf_nodes": 31})]:

    def fit(rounds):
        model = HistGradientBoostingClassifier(
            max_iter=rounds, learning_rate=0.1, early_stopping=False, min_samples_leaf=1, l2_regularization=1, **shape
        )
        start = time.process_time()
        model.fit(features, classes)
        return (time.process_time() - start) * 1000

    fit(5)
    show(f"scikit-learn {name}", [(fit(35) - fit(5)) / 30 for _ in range(3)])
