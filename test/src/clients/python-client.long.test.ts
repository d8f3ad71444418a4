// The Python client against a real server: the program of the README, tables of
// every kind, models without a server, what goes wrong.
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../../package.json";
import { listen } from "../../../src/service/listen.ts";
import { startApi } from "../../support/api.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { PYTHON_CLIENT, pythonClient, writeTables } from "../../support/driven-client.ts";
import { testFolder } from "../../support/folders.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";
import { describeWithTools } from "../../support/tools.ts";

const ROOT = join(import.meta.dir, "../../..");
const PENGUINS = join(ROOT, "test/fixtures/tables/penguins.csv");
const NEW_PENGUINS = join(ROOT, "test/fixtures/models/penguins-input.csv");

const folder = testFolder();
const live = await startService("/cupel");
const login = { CUPEL_URL: live.address, CUPEL_USER: USER, CUPEL_PASSWORD: PASSWORD };
writeTables(folder);

const run = <T>(program: string, environment: Record<string, string> = {}) =>
  pythonClient<T>(program, folder, { ...login, ...environment });

/** The code and the text of the CupelError that each expression raises. */
async function refusalsOf(expressions: readonly string[], environment: Record<string, string> = {}) {
  const program = `
seen = []
for ask in ${JSON.stringify(expressions)}:
    try:
        eval(ask)
        seen.append(None)
    except (CupelError, OSError, TypeError) as error:
        seen.append([getattr(error, "code", type(error).__name__), str(error)])`;
  return run<([string, string] | null)[]>(program, environment);
}

describeWithTools("the Python client", { needed: ["python3"] }, () => {
  test("is one file for Python 3.9 and later, of this version, and explains all that it offers", async () => {
    const program = `
import ast, inspect, sys
source = open(module.__file__, encoding="utf-8").read()
tree = ast.parse(source, feature_version=(3, 9))
imported = {name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
imported |= {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
offered = [getattr(module, name) for name in module.__all__]
parts = [(own, name) for own in offered if inspect.isclass(own) for name in vars(own) if not name.startswith("_")]
silent = [f"{own.__name__}.{name}" for own, name in parts if not inspect.getdoc(getattr(own, name))]
silent += [own.__name__ for own in offered if not inspect.getdoc(own)]
seen = [sorted(imported - set(getattr(sys, "stdlib_module_names", imported))), silent, module.__version__, "pandas" in sys.modules]`;
    expect(await run<unknown>(program)).toEqual([[], [], manifest.version, false]);
  });

  test("takes tables as dictionaries, open files and bytes, and an API key", async () => {
    const program = `
rows = [{"size": at % 60, "made": at % 7 > 2, "label": "big" if at % 60 > 30 else "small"} for at in range(100)]
cupel = Cupel(key=os.environ["KEY"])
made = [cupel.upload(rows, "label", name="of rows")]
with open("TRAIN.csv") as texts, open("TRAIN.csv", "rb") as content:
    made += [cupel.upload(texts, "label", name="of a file"), cupel.upload(content.read(), missing=["?"], buckets=10)]
seen = [[own.name, own.label, own.info["rowCount"], own.info["numberOfBuckets"]] for own in made]
seen += [made[0].preview()[0], [own.name for own in cupel.datasets("of ")]]`;
    const key = live.keyWith("read", "write", "predict");
    expect(await run<unknown>(program, { KEY: key })).toEqual([
      ["of rows", "label", 100, 20],
      ["of a file", "label", 1_200, 20],
      ["table", "label", 1_200, 10],
      { size: "0", made: "False", label: "small" },
      ["of a file", "of rows"],
    ]);
  });

  test("goes through lists page by page, also where they shrink on the way", async () => {
    const program = `
cupel = Cupel()
for at in range(103):
    cupel._create("/api/v1/datasets", {"name": f"page {at}"})
names = [own.name for own in cupel.datasets("page ")]
seen = [len(names), len(set(names)), names[0]]
for own in cupel.datasets("page "):
    own.delete()
seen.append(len(list(cupel.datasets("page "))))`;
    expect(await run<unknown>(program)).toEqual([103, 103, "page 102", 0]);
  });

  test("says what is wrong with a request, a file or an address, and what to do", async () => {
    const refusals = await refusalsOf([
      "Cupel('ftp://here', 'k')",
      "Cupel(key='clé')",
      "Cupel(password='wrong', user='ada@example.org').limits()",
      "Cupel().dataset('../limits')",
      "Cupel().model('4af9bc93-18ed-4e14-a49b-f5e01eafb70d').info",
      "Cupel().train([])",
      "Cupel().train({'a': 1})",
      "Cupel().train('a,b\\n1,2\\n')",
      "Cupel().upload('nowhere.csv')",
      "Cupel().upload([{'a': at} for at in range(30)], 'b', name='no such label')",
      "Cupel().upload('TRAIN.csv', buckets=1)",
      "Cupel().train('TRAIN.csv', bucketz=1)",
      "Cupel().train('TRAIN.csv', refine=True, target=0.9)",
      "Cupel(retries=0, url='http://127.0.0.1:9').limits()",
      "Cupel(url='http://nowhere.invalid').limits()",
    ]);
    expect(refusals.map((refusal) => refusal?.[0])).toEqual([
      ...["BAD_INPUT", "BAD_INPUT", "LOGIN_FAILED", "BAD_INPUT", "NOT_FOUND"],
      ...["BAD_INPUT", "BAD_INPUT", "BAD_INPUT", "FileNotFoundError", "LABEL_NOT_FOUND"],
      ...["VALIDATION_FAILED", "TypeError", "BAD_INPUT", "UNREACHABLE", "UNREACHABLE"],
    ]);
    const texts = refusals.map((refusal) => refusal?.[1]);
    expect(texts[2]).toMatch(/^The user name or the password is wrong.*\(LOGIN_FAILED, status 401, request [\w-]+\)$/);
    expect(texts[11]).toContain("There is no setting bucketz. Did you mean buckets?");
    expect(texts[13]).toContain("Check the address and whether the server runs.");
    // No dataset is left of a file that cannot be used.
    const left =
      "seen = [[own.name, own.info['status']] for own in Cupel().datasets() if own.info['status'] != 'COMPLETED']";
    expect(await run<unknown>(left)).toEqual([]);
  });

  test("plans as wide a search after a refinement as the server does, unless told another width", async () => {
    const program = `
cupel = Cupel()
runs = [cupel.train("TRAIN.csv", "label", name=name, refine=True, wait=False, **width) for name, width in (("wide", {}), ("narrow", {"scaling": 0}))]
seen = [own.info["plannedTraining"]["scalingFactor"] for own in runs] + [cupel.limits()["training"]["scalingFactor"]["default"]]
for own in runs:
    try:
        own.cancel()
    except CupelError as error:
        assert error.code == "NOT_CANCELLABLE", error`;
    const [unsaid, said, standard] = await run<number[]>(program);
    expect([unsaid, said]).toEqual([standard, 0]);
  });

  test("speaks TLS with a server whose authority is its own", async () => {
    const certificate = makeCertificate();
    const [path, keyPath] = [join(folder, "authority.pem"), join(folder, "key.pem")];
    writeFileSync(path, certificate.certificate);
    writeFileSync(keyPath, certificate.key);
    const api = await startApi({ settings: { isTls: true } });
    const secure = listen(api.app, { host: "127.0.0.1", port: 0, tls: { certPath: path, keyPath } });
    const environment = { CUPEL_URL: `https://localhost:${secure.port}` };
    const asked = ["Cupel().limits()", `Cupel(ca_file=${JSON.stringify(path)}).limits()`, "Cupel(ca_file='none.pem')"];
    const plain = await refusalsOf(["Cupel(retries=0).limits()"], {
      CUPEL_URL: `https://localhost:${live.port}/cupel`,
    });
    const [refused, answered, missing] = await refusalsOf(asked, environment);
    expect([refused?.[0], answered, missing?.[0]]).toEqual(["TLS", null, "FileNotFoundError"]);
    expect(refused?.[1]).toContain("ca_file=");
    expect(plain[0]?.[0]).toBe("UNREACHABLE");
    await secure.stop(true);
    await api.close();
  });

  test("logs in again where its token has ended, on the way or before", async () => {
    const api = await startApi();
    const { origin } = api.listen();
    const program = `
from cupel import Cupel
cupel = Cupel(${JSON.stringify(origin)}, user="ada@example.org", password=${JSON.stringify(PASSWORD)})
print(len(list(cupel.models())), flush=True)
input()
print(len(list(cupel.models())))`;
    const child = Bun.spawn(["python3", "-B", "-c", program], {
      env: { ...process.env, PYTHONPATH: PYTHON_CLIENT },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stdout.getReader();
    const first = await reader.read();
    api.pass(3_601);
    child.stdin.write("\n");
    child.stdin.end();
    expect(
      Buffer.from(first.value ?? [])
        .toString()
        .trim(),
    ).toBe("0");
    expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
    await api.close();
  });

  describe("with a model", () => {
    let key: string;
    beforeAll(async () => {
      key = await run<string>(`seen = Cupel().train(${JSON.stringify(PENGUINS)}, "species", scaling=0).key`);
    });

    test("scores without a server: with the reader beside it, or from the server", async () => {
      const load = 'Model.load("penguins.cupel")';
      expect(await refusalsOf([`Cupel().model("${key}").save("penguins.cupel")`, load])).toEqual([
        null,
        ["NO_READER", expect.stringContaining("save_reader()")],
      ]);
      const program = (local: string) => `
import csv, os
path = ${JSON.stringify(NEW_PENGUINS)}
model, local = Cupel().model("${key}"), ${local}
with open(path, newline="") as file:
    rows = list(csv.DictReader(file))
answered = [own.label for own in model.predict(rows)]
result = local.predict(path, to="local.csv")
content = io.BytesIO()
local.predict(rows, to=content)
model.predict(path, to="served.csv")
seen = [[own.label for own in local.predict(rows)] == answered, local.predict(rows[0]).label == answered[0]]
seen += [result, open("local.csv").read() == open("served.csv").read(), content.getvalue().decode() == open("local.csv").read()]
seen += [local.columns == model.columns, sorted(local.labels) == sorted(model.labels), local.label]`;
      const expected = [true, true, "local.csv", true, true, true, true, "species"];
      expect(await run<unknown>(program('Cupel().load("penguins.cupel")'))).toEqual(expected);
      const paths = [PYTHON_CLIENT, join(ROOT, "src/readers")].join(":");
      expect(await run<unknown>(program(load), { PYTHONPATH: paths })).toEqual(expected);
      await run('Cupel().save_reader("readers.py")');
      expect(readFileSync(join(folder, "readers.py"), "utf8")).toBe(
        readFileSync(join(ROOT, "src/readers/cupel_reader.py"), "utf8"),
      );
    });

    test("tells labels that come later, by key, as a list or as a file, and takes them back", async () => {
      const program = `
import csv
model = Cupel().model("${key}")
with open(${JSON.stringify(PENGUINS)}, newline="") as file:
    known = [{**own, "n": str(at)} for at, own in enumerate(csv.DictReader(file))]
truth = [own["species"] for own in known]
prediction = Cupel().prediction(model.predict(known, to=io.BytesIO()).key)
answered = [own["prediction"] for own in prediction.rows()]
right = lambda rows: sum(answered[at] == truth[at] for at in rows)
none = prediction.outcomes.get()
seen = [[none.rows, none.accuracy, none.interval, none.state]]
some = prediction.outcomes.add([{"really": truth[at], "n": str(at)} for at in range(10)] + [{"really": "?", "n": "none"}], label="really", key="n")
seen += [[some.rows, some.right == right(range(10)), some.without_label == len(known) - 10, some.unmatched]]
every = prediction.outcomes.add(["Auk", None] + truth[2:])
seen += [[every.rows == len(known) - 1, every.without_label, every.unknown_labels, every.right == right(range(2, len(known)))]]
whole = prediction.outcomes.add(${JSON.stringify(PENGUINS)})
seen += [[whole.right == right(range(len(known))), whole.accuracy == whole.right / whole.rows, whole.interval[0] < whole.accuracy]]
seen += [[sum(map(sum, whole.confusion)) == len(known), whole == prediction.outcomes.get(), whole.state, whole.since]]
for ask in (lambda: prediction.outcomes.add(truth[1:]), lambda: prediction.outcomes.add([])):
    try:
        ask()
    except CupelError as error:
        seen.append(error.code)
prediction.outcomes.delete()
seen.append(prediction.outcomes.get().rows)`;
      expect(await run<unknown>(program)).toEqual([
        [0, null, null, "TOO_FEW"],
        [10, true, true, 1],
        [true, 1, 1, true],
        [true, true, true],
        [true, true, "AS_PROMISED", null],
        ...["FILE_UNUSABLE", "BAD_INPUT", 0],
      ]);
    });

    test("names what a file or a row lacks, and writes nothing then", async () => {
      writeFileSync(join(folder, "latin.csv"), Buffer.from("a,b\n\xe4,1\n", "latin1"));
      writeFileSync(join(folder, "same.csv"), readFileSync(NEW_PENGUINS));
      const model = `Cupel().model("${key}")`;
      const refusals = await refusalsOf(
        [
          `${model}.predict({"island": 1})`,
          `${model}.predict("TRAIN.csv", to="none.csv")`,
          `${model}.predict("same.csv", to="./same.csv")`,
          `${model}.predict([{"island": "x"}, 3])`,
          `Model.load("penguins.cupel").predict("latin.csv", to="none.csv")`,
          `Model.load("penguins.cupel").predict("TRAIN.csv", to="none.csv")`,
          `Model.load("penguins.cupel").predict({"island": 1})`,
          `Model.load("TRAIN.csv")`,
        ],
        { PYTHONPATH: [PYTHON_CLIENT, join(ROOT, "src/readers")].join(":") },
      );
      expect(refusals.map((refusal) => refusal?.[0])).toEqual([
        ...["COLUMN_MISMATCH", "COLUMN_MISMATCH", "BAD_INPUT", "BAD_INPUT"],
        ...["BAD_INPUT", "BAD_INPUT", "BAD_INPUT", "BAD_INPUT"],
      ]);
      expect(refusals[2]?.[1]).toContain("is the file that is read");
      expect(refusals[4]?.[1]).toContain("UTF-8");
      expect(readdirSync(folder).filter((name) => name.startsWith("none.csv"))).toEqual([]);
      expect(readFileSync(join(folder, "same.csv"))).toEqual(readFileSync(NEW_PENGUINS));
    });

    test("moves the champion, shows what it knows, and escapes it in notebooks", async () => {
      const program = `
rows = [{"x": at % 50 + at / 1000, "<i>y": at % 3, "label": "<b>big" if at % 50 > 24 else "small"} for at in range(300)]
said = []
cupel = Cupel(progress=said.append)
model = cupel.train(rows, "label", name="<u>odd", scaling=0, costs={"<b>big": 3})
shown = [model._repr_html_(), model.training._repr_html_(), model.predict(rows, to=io.BytesIO())._repr_html_()]
shown += [cupel.refine(Dataset(cupel, model.info["datasetKey"]), buckets=4)._repr_html_()]
seen = [[text for text in shown if "<b>" in text or "<i>" in text or "<u>" in text], "&lt;b&gt;big" in shown[0]]
seen += [str(model).startswith(f"Model {model.key}\\nAccuracy "), model.promote(1) == model, sorted(cupel.usage())[0]]
print(model._repr_html_())`;
      expect(await run<unknown>(program)).toEqual([[], true, true, true, "freeBytes"]);
    });

    const hasPandas = Bun.spawnSync(["python3", "-c", "import pandas"]).exitCode === 0;
    if (!hasPandas) process.stderr.write("tests were left out: frames of the Python client (there is no pandas)\n");
    else {
      test("takes frames and gives frames, with their index", async () => {
        const program = `
import pandas
frame = pandas.read_csv(${JSON.stringify(NEW_PENGUINS)})
frame.index = [f"row {at}" for at in range(len(frame))]
model = Cupel().model("${key}")
answered = model.predict(frame, reasons=1)
local = Cupel().load("penguins.cupel").predict(frame)
rows = model.predict(frame[model.columns].to_dict("records"))
seen = [list(answered.columns)[len(frame.columns):], list(answered.index) == list(frame.index)]
seen += [list(answered["prediction"]) == [own.label for own in rows], list(local["prediction"]) == list(answered["prediction"])]
seen += [answered[list(frame.columns)].equals(frame), len(model.predict(frame, to="frame.csv").frame()) == len(frame)]
prediction = Cupel().prediction(model.predict(frame, to=io.BytesIO()).key)
told = prediction.outcomes.add(answered["prediction"].where(answered.index != "row 0"))
seen += [told.right == told.rows == len(frame) - 1, prediction.outcomes.add(answered[["prediction"]]).accuracy]
numbers = pandas.DataFrame({"x": [at / 7 for at in range(200)], "day": pandas.date_range("2026-01-01", periods=200)})
numbers["label"] = (numbers["x"] > 14).astype(int)
seen += [(Cupel().train(numbers, "label", scaling=0).predict(numbers)["prediction"] == numbers["label"]).sum().item() > 180]`;
        const added = ["prediction", "confidence", "probability_Adelie", "probability_Chinstrap", "probability_Gentoo"];
        const columns = [...added, "reason_1", "reason_1_effect"];
        expect(await run<unknown>(program)).toEqual([columns, true, true, true, true, true, true, 1, true]);
      });
    }
  });
});
