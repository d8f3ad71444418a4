# Defaults and random searches of what people use today, on the same two files: TRAIN TEST THREADS POINTS. Prints JSON.
import json
import sys
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from xgboost import XGBClassifier

warnings.filterwarnings("ignore")
THREADS = int(sys.argv[3])
POINTS = int(sys.argv[4])

begun = time.perf_counter()
train, test = (pd.read_csv(path) for path in sys.argv[1:3])
reading = time.perf_counter() - begun
label = train.columns[-1]
features = train.columns[:-1]
labels = sorted(train[label].astype(str).unique())
code = {text: index for index, text in enumerate(labels)}
y = train[label].astype(str).map(code).to_numpy()
truth = test[label].astype(str).map(lambda text: code.get(text, -1)).to_numpy()
numbers = [c for c in features if pd.api.types.is_numeric_dtype(train[c]) and train[c].notna().any()]
texts = [c for c in features if c not in numbers and train[c].notna().any()]
for table in (train, test):
    table[texts] = table[texts].astype(object).where(table[texts].notna(), "missing").astype(str)


def make(kind, settings):
    if kind == "HistGradientBoosting":
        encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, encoded_missing_value=np.nan)
        few = [len(numbers) + i for i, c in enumerate(texts) if train[c].nunique() <= 255]
        model = HistGradientBoostingClassifier(random_state=1, categorical_features=few or None, **settings)
        return make_pipeline(ColumnTransformer([("n", "passthrough", numbers), ("t", encoder, texts)]), model)
    one_hot = OneHotEncoder(handle_unknown="ignore", min_frequency=4, sparse_output=False)
    columns = ColumnTransformer([("n", SimpleImputer(strategy="median"), numbers), ("t", one_hot, texts)])
    if kind == "XGBoost":
        return make_pipeline(columns, XGBClassifier(n_jobs=THREADS, random_state=1, **settings))
    return make_pipeline(columns, RandomForestClassifier(n_jobs=THREADS, random_state=1, **settings))


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
