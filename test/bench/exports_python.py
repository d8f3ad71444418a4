# Scores rows by an exported Python program: PROGRAM ROWS ANSWERS
import importlib.util
import json
import sys
import time

program, rows_path, answers_path = sys.argv[1:4]
with open(rows_path, encoding="utf-8") as file:
    given = json.load(file)
rows = [dict(zip(given["columns"], cells)) for cells in given["rows"]]
begun = time.process_time()
spec = importlib.util.spec_from_file_location("score", program)
score = importlib.util.module_from_spec(spec)
spec.loader.exec_module(score)
model = score.Model.inside()
loaded = time.process_time()
answers = model.score(rows)
ended = time.process_time()
with open(answers_path, "w", encoding="utf-8") as file:
    json.dump(
        {
            "labels": [answer["label"] for answer in answers],
            "probabilities": [list(answer["probabilities"].values()) for answer in answers],
            "loadSeconds": loaded - begun,
            "seconds": ended - loaded,
        },
        file,
    )
