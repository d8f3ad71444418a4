# Defaults and random searches of what people use today, on the same two files: TRAIN TEST THREADS POINTS. Prints JSON.
import json
import sys
import time
import warnings

from peer_tables import Tables

warnings.filterwarnings("ignore")
THREADS = int(sys.argv[3])
POINTS = int(sys.argv[4])

begun = time.perf_counter()
tables = Tables(*sys.argv[1:3])
reading = time.perf_counter() - begun
train, test, features, y, truth = tables.train, tables.test, tables.features, tables.y, tables.truth


for kind in ("RandomForest", "HistGradientBoosting", "XGBoost"):
    ways = [(kind, lambda kind=kind: tables.make(kind, THREADS).fit(train[features], y))]
    if POINTS > 0:
        ways.append((f"{kind}, best of {POINTS}", lambda kind=kind: tables.search([kind], POINTS, THREADS)))
    for name, fit in ways:
        start = time.perf_counter()
        accuracy = (fit().predict(test[features]) == truth).mean()
        print(json.dumps({"way": name, "accuracy": accuracy, "seconds": reading + time.perf_counter() - start}), flush=True)
