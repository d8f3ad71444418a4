"""Gives a test what the Python reader makes of rows: argument 1 is the folder of the reader, standard input lists the tasks."""
import base64
import json
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import cupel_reader  # noqa: E402

answers = []
for task in json.load(sys.stdin):
    if "bytes" in task:
        try:
            model = cupel_reader.Model(base64.b64decode(task["bytes"]))
            answers.append([model.labels[model.answer(row)[0]] for row in task["rows"]])
        except cupel_reader.CupelError as error:
            answers.append(str(error))
        continue
    model = cupel_reader.Model.load(task["model"])
    if "typed" in task:
        answers.append(model.score(task["typed"]))
        continue
    rows = task["rows"]
    scored = [model.answer(row) for row in rows]
    answers.append(
        {
            "columns": [column.name for column in model.columns],
            "rows": rows,
            "codes": [model.code(row)[0] for row in rows],
            "labels": [model.labels[decided] for decided, _ in scored],
            "probabilities": [own for _, own in scored],
        }
    )
json.dump(answers, sys.stdout)
