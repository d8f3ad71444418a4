# What somebody would do who has time: TRAIN TEST. Twelve models, each bagged over eight folds (the mean of eight fits), weighed
# greedily by the log-loss of their out-of-fold probabilities (Caruana, Niculescu-Mizil, Crew and Ksikes 2004). One core.
# Prints as JSON the labels, the probabilities of TEST's rows, the weights and the seconds of processor time.
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import json
import sys
import time
import warnings

import numpy as np
from peer_tables import Tables
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from xgboost import XGBClassifier

warnings.filterwarnings("ignore")
FOLDS = 8
GREEDY_STEPS = 50
LEAST_PROBABILITY = 1e-15

tables = Tables(*sys.argv[1:3])
train, test, y = tables.train[tables.features], tables.test[tables.features], tables.y
class_count = len(tables.labels)
categories = tables.categories()


def dense(model, scaled=False):
    return make_pipeline(tables.dense(scaled=scaled), model)


def boosted(**settings):
    return dense(XGBClassifier(n_jobs=1, random_state=1, verbosity=0, **settings))


MODELS = {
    "forest": lambda: dense(RandomForestClassifier(300, random_state=1)),
    "forest, 3 rows a leaf": lambda: dense(
        RandomForestClassifier(300, min_samples_leaf=3, max_features=0.4, random_state=1)
    ),
    "extra-trees": lambda: dense(ExtraTreesClassifier(300, random_state=1)),
    "HistGradientBoosting": lambda: make_pipeline(
        tables.ordinal(), HistGradientBoostingClassifier(random_state=1, categorical_features=categories)
    ),
    "XGBoost": lambda: boosted(),
    "XGBoost, 3 levels": lambda: boosted(
        n_estimators=200, learning_rate=0.05, max_depth=3, subsample=0.8, colsample_bytree=0.6
    ),
    "logistic regression": lambda: dense(LogisticRegression(max_iter=1000), scaled=True),
    "logistic regression, C 0.1": lambda: dense(LogisticRegression(C=0.1, max_iter=1000), scaled=True),
    "SVM": lambda: dense(SVC(probability=True, random_state=1), scaled=True),
    "SVM, C 10": lambda: dense(SVC(C=10, probability=True, random_state=1), scaled=True),
    "nearest neighbours": lambda: dense(KNeighborsClassifier(15, weights="distance"), scaled=True),
    "net": lambda: dense(MLPClassifier((64,), alpha=0.01, max_iter=300, random_state=1), scaled=True),
}


def fit(make, rows):
    """A fitted model of some rows, and the codes of the classes that these have."""
    codes, own = np.unique(y[rows], return_inverse=True)
    return make().fit(train.iloc[rows], own), codes


def probabilities_of(model, codes, table):
    probabilities = np.zeros((len(table), class_count))
    probabilities[:, codes] = model.predict_proba(table)
    return probabilities


def bagged(make, splits):
    out_of_fold, of_test = np.zeros((len(y), class_count)), np.zeros((len(test), class_count))
    for learning, judging in splits:
        model, codes = fit(make, learning)
        out_of_fold[judging] = probabilities_of(model, codes, train.iloc[judging])
        of_test += probabilities_of(model, codes, test) / len(splits)
    return out_of_fold, of_test


def log_loss(probabilities):
    own = probabilities[np.arange(len(y)), y] / probabilities.sum(axis=1)
    return -np.log(np.maximum(own, LEAST_PROBABILITY)).mean()


def greedy(candidates):
    """How often each model was taken, with replacement, while the mean of what was taken had the least log-loss."""
    counts, total = np.zeros(len(candidates)), np.zeros_like(candidates[0])
    best = (np.inf, counts)
    for step in range(1, GREEDY_STEPS + 1):
        losses = [log_loss((total + candidate) / step) for candidate in candidates]
        taken = int(np.argmin(losses))
        counts[taken] += 1
        total = total + candidates[taken]
        if losses[taken] < best[0]:
            best = (losses[taken], counts / step)
    return best[1].copy()


start = time.process_time()
splits = list(StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(np.zeros(len(y)), y))
fits = {}
for name, make in MODELS.items():
    try:
        fits[name] = bagged(make, splits)
    except ValueError as error:
        print(f"{name}: {error}", file=sys.stderr)
weights = greedy([out_of_fold for out_of_fold, _ in fits.values()])
weights /= weights.sum()
probabilities = sum(weight * of_test for weight, (_, of_test) in zip(weights, fits.values()))
probabilities /= probabilities.sum(axis=1, keepdims=True)
answer = {
    "labels": tables.labels,
    "weights": dict(zip(fits, weights.round(3).tolist())),
    "seconds": time.process_time() - start,
    "probabilities": probabilities.round(6).tolist(),
}
print(json.dumps(answer))
