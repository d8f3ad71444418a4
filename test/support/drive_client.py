"""Drives the whole flow by the Python client and prints what it saw as JSON. Argument 1: the folder of the client; 2: a folder with
TRAIN.csv, TEST.csv and NEW.csv. The server and the login are in the environment."""
import contextlib
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from cupel import Cupel, CupelError  # noqa: E402

os.chdir(sys.argv[2])
said = []
cupel = Cupel(progress=said.append)
seen = {}

run = cupel.refine("TRAIN.csv", "label", test="TEST.csv", name="by pair", buckets=10)
seen["kept"], seen["removed"] = run.kept, sorted(run.removed)
run.save("reduced.csv")
with open("reduced.csv", encoding="utf-8") as file:
    seen["reduced"] = file.readline().strip()
dataset = run.dataset()
model = cupel.train(dataset, "label", scaling=2, target=0.6)
seen["columns"], seen["labels"], seen["label"] = model.columns, model.labels, model.label
seen["better"] = model.majority < model.interval[0] <= model.accuracy <= model.interval[1]

again = cupel.train("TRAIN.csv", "label", refine=True, scaling=0)
seen["refined columns"] = again.columns
seen["names"] = sorted(own.name for own in cupel.datasets())

prediction = model.predict("NEW.csv", to="RESULT.csv", reasons=2)
with open("RESULT.csv", encoding="utf-8") as file:
    seen["result"] = [line.strip() for line in file]
rows = list(prediction.rows())
seen["same rows"] = [",".join(row.values()) for row in rows] == seen["result"][1:]
texts = [{name: row[name] for name in model.columns} for row in rows]
answers = model.predict(texts, reasons=1)
seen["same labels"] = [own.label for own in answers] == [row["prediction"] for row in rows]
seen["first"] = [len(answers[0].reasons), model.predict(texts[0]) == answers[0]._replace(reasons=[])]
seen["parts"] = len(model.predict(texts * 41))

model.save("model.cupel")
local = cupel.load("model.cupel")
seen["same here"] = local.predict(texts) == [own._replace(reasons=(), odd_cells=()) for own in answers]
seen["found"] = [model in cupel.models(), prediction in cupel.predictions(), model.training in cupel.trainings()]

seen["kinds"] = sorted({line.split()[0] for line in said})
for thing in (prediction, model):
    thing.delete()
    with contextlib.suppress(CupelError):
        seen["left"] = repr(thing.refresh())
run.delete()
seen["listed"] = run in cupel.refinements()
with contextlib.suppress(CupelError):
    seen["answers"] = model.predict(texts[0])
print(json.dumps(seen))
