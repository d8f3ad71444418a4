# HistGradientBoosting and XGBoost on one thread until so many processor seconds are spent, reading included: TRAIN NEW SECONDS [ROWS].
# Each puts a tenth of the rows aside, by whose log-loss the number of its rounds is chosen, and ends early where that no longer falls.
import json
import sys
import time

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from xgboost import XGBClassifier
from xgboost.callback import TrainingCallback

seconds = float(sys.argv[3])
rows = int(sys.argv[4]) if len(sys.argv) > 4 else None
CHUNK = 20
PATIENCE = 40

train, new = pd.read_csv(sys.argv[1], nrows=rows), pd.read_csv(sys.argv[2])
y, labels = pd.factorize(train.pop("label"), sort=True)
truth = pd.Categorical(new.pop("label"), categories=labels).codes
names = [name for name in train.columns if train[name].dtype == object]
for name in names:
    known = sorted(train[name].unique())
    train[name] = pd.Categorical(train[name], categories=known).codes
    new[name] = pd.Categorical(new[name], categories=known).codes
fit_rows, aside_rows = train_test_split(np.arange(len(y)), test_size=0.1, random_state=1, stratify=y)
X, aside = train.iloc[fit_rows], train.iloc[aside_rows]
reading = time.process_time()


def histogram_boosting():
    model = HistGradientBoostingClassifier(
        max_iter=0, warm_start=True, early_stopping=False, random_state=1,
        categorical_features=[train.columns.get_loc(name) for name in names],
    )
    best = (np.inf, 0)
    while time.process_time() < limit and model.max_iter - best[1] < PATIENCE:
        model.max_iter += CHUNK
        model.fit(X, y[fit_rows])
        best = min(best, (log_loss(y[aside_rows], model.predict_proba(aside)), model.max_iter))
    for rounds, answer in enumerate(model.staged_predict(new), 1):
        if rounds == best[1]:
            return answer, rounds


class Stop(TrainingCallback):
    def after_iteration(self, model, epoch, evals_log):
        return time.process_time() >= limit


def extreme_boosting():
    model = XGBClassifier(
        n_estimators=10_000, learning_rate=0.1, tree_method="hist", n_jobs=1, random_state=1,
        early_stopping_rounds=PATIENCE, callbacks=[Stop()],
    )
    model.fit(X, y[fit_rows], eval_set=[(aside, y[aside_rows])], verbose=False)
    return model.predict(new), model.best_iteration + 1


for name, fit in {"HistGradientBoosting": histogram_boosting, "XGBoost": extreme_boosting}.items():
    start = time.process_time()
    limit = start - reading + seconds
    answer, rounds = fit()
    spent = reading + time.process_time() - start
    print(json.dumps({"way": name, "accuracy": (answer == truth).mean(), "processorSeconds": spent, "rounds": rounds}), flush=True)
