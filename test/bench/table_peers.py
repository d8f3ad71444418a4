# What people use today, on the same two files: TRAIN TEST [--tuned]. Prints accuracy on TEST and seconds of each as JSON.
import json
import sys
import time
import warnings

import numpy as np
from peer_tables import Tables
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from xgboost import XGBClassifier

warnings.filterwarnings("ignore")
THREADS = 2
TUNED_SETTINGS = 20

tables = Tables(*sys.argv[1:3])
train, test, features, y, truth = tables.train, tables.test, tables.features, tables.y, tables.truth


def boosted(kind, settings):
    if kind == "XGBoost":
        return make_pipeline(tables.dense(), XGBClassifier(n_jobs=THREADS, random_state=1, **settings))
    model = HistGradientBoostingClassifier(random_state=1, categorical_features=tables.categories(), **settings)
    return make_pipeline(tables.ordinal(), model)


def draw(kind, random):
    rate = 10 ** random.uniform(-2, -0.3)
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


def tuned():
    """Twenty random settings of two boosters, the best on an inner holdout of a fifth, fitted again on all rows."""
    random = np.random.default_rng(1)
    rows = np.arange(len(y))
    strata = y if np.bincount(y).min() >= 2 else None
    inner, held = train_test_split(rows, test_size=0.2, random_state=1, stratify=strata)
    best = (-1.0, None)
    for trial in range(TUNED_SETTINGS):
        kind = ("XGBoost", "HGB")[trial % 2]
        settings = draw(kind, random)
        try:
            model = boosted(kind, settings).fit(train[features].iloc[inner], y[inner])
        except ValueError:
            continue  # a class that the inner rows lack
        score = (model.predict(train[features].iloc[held]) == y[held]).mean()
        if score > best[0]:
            best = (score, (kind, settings))
    return boosted(*best[1]).fit(train[features], y)


plain = {
    "RandomForest(100)": lambda: make_pipeline(tables.dense(), RandomForestClassifier(100, n_jobs=THREADS, random_state=1)),
    "ExtraTrees(100)": lambda: make_pipeline(tables.dense(), ExtraTreesClassifier(100, n_jobs=THREADS, random_state=1)),
    "LogisticRegression": lambda: make_pipeline(tables.dense(scaled=True), LogisticRegression(max_iter=1000, n_jobs=THREADS)),
    "GaussianNB": lambda: make_pipeline(tables.dense(scaled=True), GaussianNB()),
    "HistGradientBoosting": lambda: boosted("HGB", {}),
    "XGBoost": lambda: boosted("XGBoost", {}),
}
answers = {}
for name, make in plain.items():
    start = time.perf_counter()
    model = make().fit(train[features], y)
    accuracy = (model.predict(test[features]) == truth).mean()
    answers[name] = {"accuracy": accuracy, "seconds": time.perf_counter() - start}
if "--tuned" in sys.argv:
    start = time.perf_counter()
    accuracy = (tuned().predict(test[features]) == truth).mean()
    answers["boosting, 20 settings"] = {"accuracy": accuracy, "seconds": time.perf_counter() - start}
print(json.dumps(answers))
