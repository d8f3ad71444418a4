# What people use today, on the same two files: TRAIN TEST [--tuned]. Prints accuracy on TEST and seconds of each as JSON.
import json
import sys
import time
import warnings

from peer_tables import Tables
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

warnings.filterwarnings("ignore")
THREADS = 2
TUNED_SETTINGS = 20

tables = Tables(*sys.argv[1:3])
train, test, features, y, truth = tables.train, tables.test, tables.features, tables.y, tables.truth


plain = {
    "RandomForest(100)": lambda: make_pipeline(tables.dense(), RandomForestClassifier(100, n_jobs=THREADS, random_state=1)),
    "ExtraTrees(100)": lambda: make_pipeline(tables.dense(), ExtraTreesClassifier(100, n_jobs=THREADS, random_state=1)),
    "LogisticRegression": lambda: make_pipeline(tables.dense(scaled=True), LogisticRegression(max_iter=1000, n_jobs=THREADS)),
    "GaussianNB": lambda: make_pipeline(tables.dense(scaled=True), GaussianNB()),
    "HistGradientBoosting": lambda: tables.make("HistGradientBoosting", THREADS),
    "XGBoost": lambda: tables.make("XGBoost", THREADS),
}
answers = {}
for name, make in plain.items():
    start = time.perf_counter()
    model = make().fit(train[features], y)
    accuracy = (model.predict(test[features]) == truth).mean()
    answers[name] = {"accuracy": accuracy, "seconds": time.perf_counter() - start}
if "--tuned" in sys.argv:
    start = time.perf_counter()
    tuned = tables.search(["XGBoost", "HistGradientBoosting"], TUNED_SETTINGS, THREADS)
    accuracy = (tuned.predict(test[features]) == truth).mean()
    answers["boosting, 20 settings"] = {"accuracy": accuracy, "seconds": time.perf_counter() - start}
print(json.dumps(answers))
