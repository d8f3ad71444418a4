# Defaults and random searches of what people use today, on the same two files: TRAIN TEST THREADS POINTS. Prints JSON.
import json
import sys
import time
import warnings

import numpy as np
from peer_tables import Tables
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from xgboost import XGBClassifier

warnings.filterwarnings("ignore")
THREADS = int(sys.argv[3])
POINTS = int(sys.argv[4])

begun = time.perf_counter()
tables = Tables(*sys.argv[1:3])
reading = time.perf_counter() - begun
train, test, features, y, truth = tables.train, tables.test, tables.features, tables.y, tables.truth


def make(kind, settings):
    if kind == "HistGradientBoosting":
        model = HistGradientBoostingClassifier(random_state=1, categorical_features=tables.categories(), **settings)
        return make_pipeline(tables.ordinal(), model)
    peer = XGBClassifier if kind == "XGBoost" else RandomForestClassifier
    return make_pipeline(tables.dense(), peer(n_jobs=THREADS, random_state=1, **settings))


def draw(kind, random):
    rate = 10 ** random.uniform(-2, -0.3)
    if kind == "RandomForest":
        return dict(
            n_estimators=int(random.choice([100, 200, 300])), max_features=random.uniform(0.1, 1),
            min_samples_leaf=int(random.integers(1, 11)), max_depth=random.choice([None, 8, 16]),
        )
    if kind == "XGBoost":
        return dict(
            n_estimators=int(random.choice([100, 200, 400])), learning_rate=rate, max_depth=int(random.integers(2, 9)),
            min_child_weight=10 ** random.uniform(-0.5, 1.5), subsample=random.uniform(0.5, 1),
            colsample_bytree=random.uniform(0.4, 1), reg_lambda=10 ** random.uniform(-1, 1.5),
        )
    return dict(
        max_iter=int(random.choice([100, 200, 400])), learning_rate=rate, max_leaf_nodes=int(random.integers(4, 64)),
        min_samples_leaf=int(random.integers(2, 50)), l2_regularization=10 ** random.uniform(-2, 1.5),
    )


def search(kind):
    """The best of some random settings on an inner holdout of a fifth, fitted again on all rows."""
    random = np.random.default_rng(1)
    strata = y if np.bincount(y).min() >= 2 else None
    inner, held = train_test_split(np.arange(len(y)), test_size=0.2, random_state=1, stratify=strata)
    best = (-1.0, None)
    for _ in range(POINTS):
        settings = draw(kind, random)
        try:
            model = make(kind, settings).fit(train[features].iloc[inner], y[inner])
        except ValueError:
            continue  # a class that the inner rows lack
        score = (model.predict(train[features].iloc[held]) == y[held]).mean()
        if score > best[0]:
            best = (score, settings)
    return make(kind, best[1]).fit(train[features], y)


for kind in ("RandomForest", "HistGradientBoosting", "XGBoost"):
    ways = [(kind, lambda kind=kind: make(kind, {}).fit(train[features], y))]
    if POINTS > 0:
        ways.append((f"{kind}, best of {POINTS}", lambda kind=kind: search(kind)))
    for name, fit in ways:
        start = time.perf_counter()
        accuracy = (fit().predict(test[features]) == truth).mean()
        print(json.dumps({"way": name, "accuracy": accuracy, "seconds": reading + time.perf_counter() - start}), flush=True)
