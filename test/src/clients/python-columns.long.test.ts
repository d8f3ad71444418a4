// How the Python client says how single columns of a table are read, and sends numbers as such.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PYTHON_CLIENT, pythonClient } from "../../support/driven-client.ts";
import { testFolder } from "../../support/folders.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";
import { describeWithTools } from "../../support/tools.ts";
import { europeanTable } from "../../support/vector-tables.ts";

const folder = testFolder();
const live = await startService();

const run = <T>(program: string, path = PYTHON_CLIENT) =>
  pythonClient<T>(program, folder, {
    ...{ CUPEL_URL: live.address, CUPEL_USER: USER, CUPEL_PASSWORD: PASSWORD, PYTHONPATH: path },
  });

describeWithTools("columns by the Python client", { needed: ["python3"] }, () => {
  test("are read as chosen, for a table and for a training on its dataset", async () => {
    const program = `
rows = [{"oil": -9999 if at % 9 == 0 else at % 60, "plant": at % 3 + 1, "label": "big" if at % 60 > 30 else "small"} for at in range(200)]
cupel = Cupel()
own = cupel.upload(rows, "label", kind={"plant": "category"}, missing_in={"oil": "-9999", "plant": []})
seen = [own.info["columnChoices"], [[one["kind"], one["missing"]] for one in own.info["columns"][:2]]]
trained = own.train(scaling=0, missing_in={"oil": [-9999, "none"]}).training
seen += [trained.info["columnChoices"], cupel.train(rows, "label", scaling=0, kind={"plant": "text"}).training.info["columnChoices"]]
for ask in (lambda: cupel.train(own, missing=["x"]), lambda: cupel.refine(own, header=False), lambda: cupel.upload(rows, "label", missing_in={"age": "?"})):
    try:
        ask()
    except CupelError as error:
        seen.append(error.detail)`;
    expect(await run<unknown>(program)).toEqual([
      [
        { name: "plant", kind: "category", missingTexts: [] },
        { name: "oil", missingTexts: ["-9999"] },
      ],
      [
        ["number", 23],
        ["category", 0],
      ],
      [{ name: "oil", missingTexts: ["-9999", "none"] }],
      [{ name: "plant", kind: "text" }],
      "A dataset has its settings already: leave out missing.",
      "A dataset has its settings already: leave out header.",
      expect.stringContaining('The file has no column "age" to choose for.'),
    ]);
  });

  test("of times take the numbers that these stand for", async () => {
    const program = `
minutes = [at * 37 % 1440 for at in range(300)]
rows = [{"start": f"{at // 60:02}:{at % 60:02}", "took": f"0:{at % 59:02}:{at % 47:02}", "label": "day" if 360 <= at < 1080 else "night"} for at in minutes]
numbers = [{"start": at, "took": at % 59 * 60 + at % 47} for at in minutes]
model = Cupel().train(rows, "label", scaling=0)
model.save("times.cupel")
Cupel().save_reader("cupel_reader.py")
content = io.BytesIO()
model.predict(numbers, to=content)
clocks = [{"start": datetime.time(at // 60, at % 60), "took": datetime.timedelta(seconds=at % 59 * 60 + at % 47)} for at in minutes]
local = Model.load("times.cupel")
ways = [model.predict(rows), *(one.predict(given) for one in (model, local) for given in (numbers, clocks))]
seen = [[own.label for own in answers] for answers in ways]
seen.append([row["prediction"] for row in csv.DictReader(io.StringIO(content.getvalue().decode()))])`;
    const [texts, ...numbers] = await run<string[][]>(
      `import csv, datetime${program}`,
      [PYTHON_CLIENT, folder].join(":"),
    );
    expect(new Set(texts)).toEqual(new Set(["day", "night"]));
    expect(numbers).toEqual(Array(5).fill(texts!));
  });

  describe("with a model of numbers such as 1.234,50 € and 5,25%", () => {
    /** The columns of numbers as numbers, and one of categories as a number; `floats` are the rows, `answered` is right. */
    const NUMBERS = `
import csv, decimal
cupel = Cupel()
model, local = cupel.model(KEY), Model.load("european.cupel")
with open("european.csv", newline="") as file:
    texts = list(csv.DictReader(file, delimiter=";"))[:40]
def number(text):
    return float(text.strip(" €%").replace(".", "").replace(",", ".")) if text not in ("", "k. A.") else None
valued = ("Betrag", "Zins", "Laborwert", "Anzahl", "Kunde")
floats = [{**row, **{name: number(row[name]) for name in valued}} for row in texts]
decimals = [{**row, **{name: None if row[name] is None else decimal.Decimal(str(row[name])) for name in valued}} for row in floats]
answered = [own.probabilities for own in model.predict(texts)]
`;
    let key: string;
    beforeAll(async () => {
      writeFileSync(join(folder, "european.csv"), europeanTable().csv);
      const program = `
model = Cupel().train("european.csv", "Zahlt", scaling=0, missing=["NA", "?", "-999"])
model.save("european.cupel")
Cupel().save_reader("cupel_reader.py")
seen = model.key`;
      key = await run<string>(program);
    });
    const runWithNumbers = <T>(program: string) =>
      run<T>(`${NUMBERS.replace("KEY", JSON.stringify(key))}${program}`, [PYTHON_CLIENT, folder].join(":"));

    test("decimals are numbers, for the server and without it", async () => {
      const program = `
seen = [[own.probabilities for own in one.predict(rows)] == answered for one in (model, local) for rows in (floats, decimals)]`;
      expect(await runWithNumbers<boolean[]>(program)).toEqual([true, true, true, true]);
    });

    test("numbers of rows that go as a file are read as numbers", async () => {
      const program = `
labels = [own.label for own in model.predict(texts)]
thousands = [{**row, "Betrag": at + 1.234} for at, row in enumerate(floats)]
expected = [own.label for own in model.predict(thousands)]
seen = []
for one in (model, local):
    for rows, wanted in ((floats, labels), (decimals, labels), (thousands, expected)):
        content = io.BytesIO()
        one.predict(rows, to=content)
        decided = [row["prediction"] for row in csv.DictReader(io.StringIO(content.getvalue().decode()))]
        seen.append(decided == wanted)`;
      expect(await runWithNumbers<boolean[]>(program)).toEqual([true, true, true, true, true, true]);
    });

    const hasPandas = Bun.spawnSync(["python3", "-c", "import pandas"]).exitCode === 0;
    if (!hasPandas) process.stderr.write("a test was left out: numbers of frames (there is no pandas)\n");
    else {
      test("numbers of frames are read as numbers, and the frame stays as it is", async () => {
        const program = `
import pandas
labels = [own.label for own in model.predict(texts)]
seen = []
for one in (model, local):
    for rows in (floats, decimals):
        frame = pandas.DataFrame(rows)
        frame["Geboren"] = pandas.to_datetime(frame["Geboren"], dayfirst=True)
        kept = frame.copy()
        result = one.predict(frame)
        seen.append([list(result["prediction"]) == labels, frame.equals(kept), result[list(frame.columns)].equals(kept)])`;
        expect(await runWithNumbers<boolean[][]>(program)).toEqual(new Array(4).fill([true, true, true]));
      });
    }
  });
});
