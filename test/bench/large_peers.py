# HistGradientBoosting and XGBoost on one thread to several budgets of processor seconds, reading included: TRAIN NEW SECONDS,… [ROWS].
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

budgets = sorted(float(part) for part in sys.argv[3].split(","))
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
    while model.max_iter - best[1] < PATIENCE and spent() < budgets[-1]:
        model.max_iter += CHUNK
        model.fit(X, y[fit_rows])
        best = min(best, (log_loss(y[aside_rows], model.predict_proba(aside)), model.max_iter))
        show_histogram(best[1], lambda: next(a for at, a in enumerate(model.staged_predict(new), 1) if at == best[1]))
    show_histogram(best[1], lambda: next(a for at, a in enumerate(model.staged_predict(new), 1) if at == best[1]), True)


class Watch(TrainingCallback):
    """Notes the best round at each budget; ends at the last one."""

    def __init__(self):
        super().__init__()
        self.best = (np.inf, 0)
        self.notes = []

    def after_iteration(self, model, epoch, evals_log):
        self.best = min(self.best, (evals_log["validation_0"]["mlogloss"][-1], epoch + 1))
        while len(self.notes) < len(budgets) and spent() >= budgets[len(self.notes)]:
            self.notes.append((self.best[1], spent()))
        return len(self.notes) == len(budgets)


def extreme_boosting():
    watch = Watch()
    model = XGBClassifier(
        n_estimators=10_000, learning_rate=0.1, tree_method="hist", n_jobs=1, random_state=1,
        early_stopping_rounds=PATIENCE, callbacks=[watch],
    )
    model.fit(X, y[fit_rows], eval_set=[(aside, y[aside_rows])], verbose=False)
    watch.notes += [(watch.best[1], spent())] * (len(watch.notes) < len(budgets))
    for rounds, seconds in watch.notes:
        tell("XGBoost", model.predict(new, iteration_range=(0, rounds)), rounds, seconds)


def tell(way, answer, rounds, seconds):
    print(json.dumps({"way": way, "accuracy": (answer == truth).mean(), "processorSeconds": seconds, "rounds": rounds}), flush=True)


shown = []


def show_histogram(rounds, answer, is_last=False):
    seconds = spent()
    if len(shown) == len(budgets) or not (is_last or seconds >= budgets[len(shown)]):
        return
    shown.append(rounds)
    tell("HistGradientBoosting", answer(), rounds, seconds)


begun = 0.0


def spent():
    return reading + time.process_time() - begun


for run in (histogram_boosting, extreme_boosting):
    begun = time.process_time()
    run()
