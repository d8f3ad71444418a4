# What people do today about costs, on the same two files: TRAIN TEST LABEL COST. Prints the mean cost on TEST of each as JSON.
# A missed LABEL costs COST, a false one 1. The threshold is tuned on out-of-fold probabilities, or set by theory.
import json
import sys
import warnings

import numpy as np
from peer_tables import Tables
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

warnings.filterwarnings("ignore")
tables = Tables(*sys.argv[1:3])
label, cost = sys.argv[3], float(sys.argv[4])
train, test, features, y, truth = tables.train, tables.test, tables.features, tables.y, tables.truth
code = int(y[list(train.iloc[:, -1].astype(str)).index(label)])
missed, actual = y == code, truth == code


def mean_cost(positive, flagged):
    return float(np.mean(np.where(positive, cost * ~flagged, flagged)))


def answer(model):
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    shares = cross_val_predict(model, train[features], y, cv=folds, method="predict_proba")[:, code]
    # Halfway between neighbouring probabilities.
    values = np.unique(np.concatenate([[0.0], shares, [1.0]]))
    thresholds = (values[1:] + values[:-1]) / 2
    tuned = min(thresholds, key=lambda threshold: mean_cost(missed, shares > threshold))
    new = model.fit(train[features], y).predict_proba(test[features])[:, code]
    return {"tuned": mean_cost(actual, new > tuned), "by theory": mean_cost(actual, new > 1 / (1 + cost))}


logistic = make_pipeline(tables.dense(scaled=True), LogisticRegression(max_iter=2000))
forest = make_pipeline(tables.dense(), RandomForestClassifier(n_estimators=500, n_jobs=2, random_state=1))
print(json.dumps({"logistic regression": answer(logistic), "random forest": answer(forest)}))
