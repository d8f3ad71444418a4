# Three families learn TRAIN with some of its columns and answer OUTER: which rows each got right, and its cross-validated accuracy.
# Usage: refinement_judge.py TRAIN.csv OUTER.csv < LISTS.json   (a list of lists of columns; one line of JSON for each)
import json
import sys
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from refinement_columns import Columns, read

TREES = 300
FOLDS = 3
BUCKETS = 10
MOST_ITERATIONS = 200
LEAST_LEVEL_ROWS = 4


class Bucketer:
    """Numbers in quantile buckets of the rows it was fitted on, categories as they are, one code more for unseen."""

    def __init__(self, is_text):
        self.is_text = is_text

    def fit(self, X, y=None):
        shares = np.linspace(0, 1, BUCKETS + 1)[1:-1]
        self.cuts = [np.unique(np.quantile(X[:, j], shares)) for j in range(X.shape[1])]
        self.most = [int(X[:, j].max()) + 1 if self.is_text[j] else len(self.cuts[j]) for j in range(X.shape[1])]
        return self

    def transform(self, X):
        codes = np.empty(X.shape, dtype=int)
        for j in range(X.shape[1]):
            if self.is_text[j]:
                codes[:, j] = np.minimum(X[:, j] + 1, self.most[j])
            else:
                codes[:, j] = np.searchsorted(self.cuts[j], X[:, j], side="left")
        return codes


class BucketBayes(BaseEstimator, ClassifierMixin):
    """Naive Bayes on ten quantile buckets, Laplace smoothing 1."""

    def __init__(self, is_text):
        self.is_text = is_text

    def fit(self, X, y):
        self.bucketer = Bucketer(self.is_text).fit(X)
        self.model = CategoricalNB(min_categories=[most + 1 for most in self.bucketer.most])
        self.model.fit(self.bucketer.transform(X), y)
        self.classes_ = self.model.classes_
        return self

    def predict(self, X):
        return self.model.predict(self.bucketer.transform(X))


def families(is_text):
    texts = np.flatnonzero(is_text)
    numbers = np.flatnonzero(~is_text)
    one_hot = OneHotEncoder(handle_unknown="ignore", min_frequency=LEAST_LEVEL_ROWS)
    scaled = ColumnTransformer([("numbers", StandardScaler(), numbers), ("texts", one_hot, texts)])
    spread = ColumnTransformer([("numbers", FunctionTransformer(), numbers), ("texts", one_hot, texts)])
    return {
        "random forest": make_pipeline(spread, RandomForestClassifier(TREES, oob_score=True, random_state=1)),
        "logistic regression": make_pipeline(scaled, LogisticRegression(max_iter=MOST_ITERATIONS)),
        "naive Bayes": BucketBayes(is_text),
    }


def judge(kept, columns, learning, judging):
    """Out-of-bag accuracy for the forest, three folds for the others; no column at all is the most frequent class."""
    (X, y), (outer_X, outer_y) = learning, judging
    chosen = np.flatnonzero(np.isin(columns.features, kept))
    if len(chosen) == 0:
        right = DummyClassifier().fit(X, y).predict(outer_X) == outer_y
        share = max((y == label).mean() for label in np.unique(y))
        empty = {"cv": share, "right": bits(right)}
        return {name: empty for name in families(np.zeros(0, dtype=bool))}
    is_text = np.isin(np.array(columns.features)[chosen], columns.texts)
    found = {}
    for name, model in families(is_text).items():
        model.fit(X[:, chosen], y)
        right = model.predict(outer_X[:, chosen]) == outer_y
        if name == "random forest":
            cv = model[-1].oob_score_
        else:
            folds = StratifiedKFold(FOLDS, shuffle=True, random_state=1)
            cv = cross_val_score(model, X[:, chosen], y, cv=folds).mean()
        found[name] = {"cv": float(cv), "right": bits(right)}
    return found


def bits(right):
    return "".join("1" if r else "0" for r in right)


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    train, outer = (read(path) for path in sys.argv[1:3])
    columns = Columns(train)
    pairs = [(columns.ordinal(table).to_numpy(), table[columns.label].to_numpy()) for table in (train, outer)]
    for kept in json.load(sys.stdin):
        print(json.dumps(judge(kept, columns, *pairs)), flush=True)


main()
