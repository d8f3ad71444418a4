// The Python reader against the engine: the same codes and labels, probabilities
// to the last bit or nearly so, and the same files.
import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "../../../engine/arrays/crc32.ts";
import { checkFile } from "../../../engine/export/check-file.ts";
import { packModel, unpackModel } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { UNSPACED_LETTER } from "../../../engine/unspaced.ts";
import { pythonProgram } from "../../../src/exporting/python.ts";
import { scoreRows } from "../../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { scoreFile } from "../../../workers/scoring/score-file.ts";
import { differenceModel, differenceRows, spoiledDifferences } from "../../support/difference-models.ts";
import { drawCells, drawTyped } from "../../support/drawn-cells.ts";
import { testFolder } from "../../support/folders.ts";
import { writeOddHeaders } from "../../support/odd-headers.ts";
import { runProgramNow } from "../../support/programs.ts";
import { codeModel } from "../../support/reader-rows.ts";
import { spoiledLayers } from "../../support/spoiled-layers.ts";
import { timesModel } from "../../support/times-model.ts";
import { describeWithTools, examplesIn } from "../../support/tools.ts";
import { CHECKED_FILES } from "../../support/unreadable-files.ts";
import { europeanTable, textTable } from "../../support/vector-tables.ts";
import { answersOf, DRESSED_CELLS, ODD_CELLS, VECTORS, type VectorAnswers, withUnits } from "../../support/vectors.ts";

const ROOT = join(import.meta.dir, "../../..");
const READERS = join(ROOT, "src/readers");
const READER = join(READERS, "cupel_reader.py");
const MODELS = join(ROOT, "test/fixtures/models");
const MOST_DIFFERENCE = 1e-12;
const DRAWN_ROWS = 300;
const MADE_UP_FILES = 400;

const vectors = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((name) => ({ name, path: join(VECTORS, name), file: unpackModel(readFileSync(join(VECTORS, name))) }));
const vectorPath = (name: string) => join(VECTORS, `${name}.cupel`);

const folder = testFolder();
const python = (args: readonly string[], input = "") => runProgramNow(["python3", ...args], { folder, input });

/** What the reader makes of some rows for each model. */
function answersByReader<T>(tasks: readonly object[]): T[] {
  const { out, err } = python([join(ROOT, "test/support/run_reader.py"), READERS], JSON.stringify(tasks));
  expect(err).toBe("");
  return JSON.parse(out);
}

function expectAlike(found: VectorAnswers, expected: VectorAnswers): void {
  expect({ ...found, probabilities: [] }).toEqual({ ...expected, probabilities: [] });
  const differences = found.probabilities.flatMap((own, row) =>
    own.map((share, k) => Math.abs(share - expected.probabilities[row]![k]!)),
  );
  expect(Math.max(...differences)).toBeLessThanOrEqual(MOST_DIFFERENCE);
}

describe("the tables of characters in the reader and in docs/model-format.md", () => {
  const source = readFileSync(READER, "utf8");
  const written = readFileSync(join(ROOT, "docs/model-format.md"), "utf8");
  const tableIn = (text: string, pattern: RegExp) => pattern.exec(text)![1]!.trim().split(/\s+/);
  const inRanges = (table: readonly string[]) => {
    const ends = table.map((one) => one.split("-").map((digits) => Number.parseInt(digits, 16)));
    return (point: number) => ends.some(([first, last = first]) => point >= first! && point <= last!);
  };
  const points = Array.from({ length: 0x110000 }, (_, point) => point).filter(
    (point) => point < 0xd800 || point > 0xdfff,
  );

  test("are the same, and what the engine's patterns say", () => {
    const unspaced = tableIn(written, /```unspaced\n([^`]*)```/);
    const pictures = tableIn(written, /```pictures\n([^`]*)```/);
    expect(tableIn(source, /UNSPACED = list\(ranges\("""([^"]*)"""/)).toEqual(unspaced);
    expect(tableIn(source, /PICTURES = list\(ranges\("""([^"]*)"""/)).toEqual(pictures);
    const letter = new RegExp(`^${UNSPACED_LETTER}$`, "v");
    const [isUnspaced, isPicture] = [inRanges(unspaced), inRanges(pictures)];
    const wrong = points.filter((point) => {
      const own = String.fromCodePoint(point);
      const isLetter = /^[\p{L}\p{M}\p{N}]$/u.test(own);
      return (
        (isLetter && isUnspaced(point)) !== letter.test(own) ||
        isPicture(point) !== /^\p{Extended_Pictographic}$/u.test(own)
      );
    });
    expect(wrong).toEqual([]);
  });
});

describeWithTools("the Python reader", { needed: ["python3"] }, () => {
  test("scores every vector", () => {
    const expected = vectors.map(
      ({ path }): VectorAnswers => JSON.parse(readFileSync(path.replace(/cupel$/, "json"), "utf8")),
    );
    const found = answersByReader<VectorAnswers>(
      vectors.map(({ path }, at) => ({ model: path, rows: expected[at]!.rows })),
    );
    for (const [at, own] of found.entries()) expectAlike(own, expected[at]!);
  });

  test("reads drawn cells as the engine does", () => {
    const drawn = vectors.map(({ file }, seed) => [
      ...drawCells(file, DRAWN_ROWS, seed),
      ...DRESSED_CELLS.map((cell) => file.columns.map(() => cell)),
    ]);
    const found = answersByReader<VectorAnswers>(vectors.map(({ path }, at) => ({ model: path, rows: drawn[at] })));
    for (const [at, own] of found.entries()) expectAlike(own, answersOf(vectors[at]!.file, drawn[at]!));
  });

  test("reads units and times since 1970 as the engine does, and units only behind their number", () => {
    const file = withUnits(unpackModel(readFileSync(vectorPath("forest-many-classes"))));
    const model = join(folder, "units.cupel");
    writeFileSync(model, packModel(file));
    const cells = [
      "1,000.5 kWh",
      "12kWh",
      "kWh 12",
      "12",
      "<3 kWh",
      "12 USD",
      "-7 kWh",
      "14:05",
      "2:05 PM",
      "1 days 00:03:12.5",
      "< 0:30",
      ...ODD_CELLS,
      ...DRESSED_CELLS,
    ];
    const rows = [...drawCells(file, DRAWN_ROWS, 1), ...cells.map((cell) => file.columns.map(() => cell))];
    const [found] = answersByReader<VectorAnswers>([{ model, rows }]);
    expectAlike(found!, answersOf(file, rows));
  });

  test("reads numbers and characters inside texts as the engine does", () => {
    const file = codeModel();
    const model = join(folder, "codes.cupel");
    writeFileSync(model, packModel(file));
    const rows = [...drawCells(file, DRAWN_ROWS, 1), ...DRESSED_CELLS.map((cell) => file.columns.map(() => cell))];
    const [found] = answersByReader<VectorAnswers>([{ model, rows }]);
    expectAlike(found!, answersOf(file, rows));
  });

  test("reads differences as the engine does, of cells and of Python's own dates", () => {
    const file = differenceModel();
    const model = join(folder, "differences.cupel");
    writeFileSync(model, packModel(file));
    const rows = [
      ...differenceRows(DRAWN_ROWS),
      ...drawCells(file, DRAWN_ROWS, 1),
      ...DRESSED_CELLS.map((cell) => file.columns.map(() => cell)),
    ];
    const typed = drawTyped(file);
    const found = answersByReader([
      { model, rows },
      { model, typed },
    ]) as [VectorAnswers, unknown];
    expectAlike(found[0], answersOf(file, rows));
    const lines = [file.columns.map(({ name }) => name), ...differenceRows(DRAWN_ROWS)];
    const inputPath = join(folder, "differences.csv");
    writeFileSync(inputPath, lines.map((cells) => `${cells.map((cell) => `"${cell}"`).join(",")}\n`).join(""));
    const outputPath = join(folder, "differences-expected.csv");
    scoreFile({ modelPath: model, inputPath, outputPath, likeInput: false, spreadsheetSafe: false }, neverStop);
    expect(python([READER, model, inputPath]).out).toBe(readFileSync(outputPath, "utf8"));
    const { scores } = scoreRows(new ModelCache(), model, typed);
    expect(found[1]).toEqual(scores.map(({ oddCells: _, ...answer }) => answer));
    const program = `
import datetime
import cupel_reader
model = cupel_reader.Model.load("differences.cupel")
def codes(opened, closed):
    return model.code([opened, closed, "", "", "", "", ""])[0]
days = range(1, 29)
print(all(
    codes(datetime.date(2024, 5, day), datetime.datetime(2024, 5, day, hour, 2 * day, 31))
    == codes(f"2024-05-{day:02}", f"{day:02}.05.2024 {hour}:{2 * day:02}:31")
    for day in days for hour in range(24)
))`;
    expect(python(["-c", `import sys; sys.path.insert(0, ${JSON.stringify(READERS)})${program}`])).toEqual({
      ...{ out: "True\n", err: "", code: 0 },
    });
  });

  test("decides by costs as the engine does", () => {
    const { classWeights: _, ...file } = unpackModel(readFileSync(vectorPath("forest-many-classes")));
    const costs = [0, 1, 2, 3].map((actual) => [3, 1, 2, 0.5].map((cost, decided) => (actual === decided ? 0 : cost)));
    const model = join(folder, "costs.cupel");
    writeFileSync(model, packModel({ ...file, costs }));
    const rows = drawCells(file, DRAWN_ROWS, 1);
    const [found] = answersByReader<VectorAnswers>([{ model, rows }]);
    const expected = answersOf({ ...file, costs }, rows);
    expect(expected.labels).not.toEqual(answersOf(file, rows).labels);
    expectAlike(found!, expected);
  });

  test("takes typed values as rows of JSON are taken", () => {
    const names = ["forest-two-classes", "forest-many-classes", "terms-two-classes"];
    const cases = names.map((name) => {
      const path = vectorPath(name);
      const typed = drawTyped(unpackModel(readFileSync(path)));
      return { path, typed, expected: scoreRows(new ModelCache(), path, typed).scores };
    });
    const found = answersByReader<ReturnType<typeof scoreRows>["scores"]>(
      cases.map(({ path, typed }) => ({ model: path, typed })),
    );
    // Which cells are odd only the server says.
    const expected = cases.map((own) => own.expected.map(({ oddCells: _, ...answer }) => answer));
    expect(found).toEqual(expected);
  });

  test("takes values that only Python has as what they stand for, and calls no model damaged for them", () => {
    const program = `
import datetime, math
from decimal import Decimal
import cupel_reader
class NaTType(datetime.datetime):
    year = month = day = hour = math.nan
class Odd:
    def __str__(self):
        raise ValueError("no text")
model = cupel_reader.Model.load(${JSON.stringify(vectorPath("stack-two-classes"))})
known = {"Betrag": 1549.34, "Zins": 5.7, "Eröffnet": "2019-07-31 08:15", "Geboren": "31.07.1969", "Laborwert": 17.5, "Anzahl": 12, "Kunde": "1", "Region": "Bonn", "Filiale": None}
def same(column, value, plain):
    return model.score([{**known, column: value}]) == model.score([{**known, column: plain}])
missing = NaTType(2019, 7, 31)
print(same("Eröffnet", missing, None), same("Geboren", missing, None), same("Region", missing, None), same("Anzahl", 10**400, None))
print(same("Eröffnet", datetime.datetime(2019, 7, 31, 8, 15), "2019-07-31 08:15"), same("Geboren", missing, "31.07.1969"))
print(same("Betrag", Decimal("1234.56"), 1234.56), same("Betrag", Decimal("1234.56"), 9.99), same("Kunde", Decimal("1.00"), 1), same("Zins", Decimal("sNaN"), None))
class datetime64:
    def __init__(self, whole):
        self.whole = whole
    def item(self):
        return self.whole
    def astype(self, unit):
        return datetime64(datetime.datetime(1969, 7, 31, 1)) if unit == "datetime64[us]" else None
print(same("Geboren", datetime64(datetime.date(1969, 7, 31)), "31.07.1969"), same("Geboren", datetime64(-13302000000000000), "31.07.1969 01:00"), same("Geboren", datetime64(None), None))
for column, value in {"Region": Odd(), "Zins": missing.date, "Geboren": datetime.time(8, 15), "Eröffnet": [1], "Betrag": datetime.timedelta(1)}.items():
    try:
        model.score([known, {**known, column: value}])
    except Exception as error:
        print(type(error).__name__, error)`;
    expect(python(["-c", `import sys; sys.path.insert(0, ${JSON.stringify(READERS)})${program}`])).toEqual({
      ...{ err: "", code: 0 },
      out: [
        ...["True True True True", "True False", "True False True True", "True True True", "ValueError no text"],
        'CupelError Row 2: column "Zins" holds numbers and takes no builtin_function_or_method. Give a text as in a file.',
        'CupelError Row 2: column "Geboren" holds dates and takes no time. Give a text as in a file.',
        'CupelError Row 2: column "Eröffnet" holds dates and takes no list. Give a text as in a file.',
        'CupelError Row 2: column "Betrag" holds numbers and takes no timedelta. Give a text as in a file.\n',
      ].join("\n"),
    });
  });

  test("takes Python's times and durations as their texts", () => {
    writeFileSync(join(folder, "times.cupel"), packModel(timesModel()));
    const program = `
import datetime, random
import cupel_reader
model = cupel_reader.Model.load("times.cupel")
draws, found = random.Random(5), set()
for _ in range(400):
    start, took = datetime.time(draws.randrange(24), draws.randrange(60)), datetime.timedelta(seconds=draws.randrange(20000))
    minutes = datetime.timedelta(minutes=60 * start.hour + start.minute)
    values = [(f"{start:%H:%M}", str(took)), (start, took), (minutes, took), (start.replace(tzinfo=datetime.timezone.utc), took)]
    answers = [str(answer) for answer in model.score([{"day": None, "start": own, "took": length} for own, length in values])]
    assert len(set(answers)) == 1, (start, took, answers)
    found.add(answers[0])
print(len(found) > 20)`;
    expect(python(["-c", `import sys; sys.path.insert(0, ${JSON.stringify(READERS)})${program}`])).toEqual({
      ...{ out: "True\n", err: "", code: 0 },
    });
  });

  test.each([
    ["credit_g-stacked-logistic-regression", "credit_g-input.csv"],
    ["penguins-random-forest", "penguins-input.csv"],
  ])("%s: writes the file that cupel predict writes", (name, input) => {
    const { out, err, code } = python([READER, join(MODELS, `${name}.cupel`), join(MODELS, input)]);
    expect([err, code]).toEqual(["", 0]);
    expect(out).toBe(readFileSync(join(MODELS, `${name}.csv`), "utf8"));
  });

  test("writes the same for a file between semicolons, with quotes, a byte order mark and Windows line ends", () => {
    const modelPath = vectorPath("stack-two-classes");
    const inputPath = join(folder, "european.csv");
    writeFileSync(inputPath, `\ufeff${europeanTable().csv.replaceAll("\n", "\r\n")}`);
    const outputPath = join(folder, "expected.csv");
    scoreFile({ modelPath, inputPath, outputPath, likeInput: false, spreadsheetSafe: false }, neverStop);
    expect(python([READER, modelPath, "european.csv", "--out", "result.csv"])).toEqual({ out: "", err: "", code: 0 });
    expect(readFileSync(join(folder, "result.csv"), "utf8")).toBe(readFileSync(outputPath, "utf8"));
    const fromInput = python([READER, modelPath, "-"], readFileSync(inputPath, "utf8"));
    expect(fromInput.out).toBe(readFileSync(outputPath, "utf8"));
  });

  test("writes the same where the header is odd, from a file and from a pipe", () => {
    for (const { name, modelPath, path, expected } of writeOddHeaders(folder)) {
      const written = { name, out: expected, err: "", code: 0 };
      expect({ name, ...python([READER, modelPath, path]) }).toEqual(written);
      expect({ name, ...python([READER, modelPath, "-"], readFileSync(path, "utf8")) }).toEqual(written);
    }
  });

  test("proves a model by its check file, and says where it differs", () => {
    const path = vectorPath("terms-many-classes");
    const check = checkFile(unpackModel(readFileSync(path)));
    writeFileSync(join(folder, "good.json"), JSON.stringify(check));
    const good = python([READER, path, "--check", "good.json"]);
    expect([good.code, good.out]).toEqual([0, expect.stringContaining("0 labels differ")]);
    writeFileSync(join(folder, "bad.json"), JSON.stringify({ ...check, labels: check.labels.toReversed() }));
    expect(python([READER, path, "--check", "bad.json"]).code).toBe(3);
  });

  describe("refuses with exit code 3 and without a result", () => {
    const model = join(MODELS, "penguins-random-forest.cupel");
    const input = readFileSync(join(MODELS, "penguins-input.csv"), "utf8");
    const lines = input.split("\n");

    test.each([
      ["an empty file", "", "The file is empty"],
      ["a file without a column", input.replace("island", "Island"), 'lacks "island"'],
      ["a short line", [...lines.slice(0, 3), "Torgersen,1", ...lines.slice(3)].join("\n"), "Line 4 has 2 cells"],
      ["a quote without an end", input.replace("Torgersen", '"Torgersen'), "cannot be read as CSV"],
    ])("%s", (_, content, message) => {
      writeFileSync(join(folder, "input.csv"), content);
      const { out, err, code } = python([READER, model, "input.csv", "--out", "none.csv"]);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain(message);
      expect(readdirSync(folder).filter((name) => name.startsWith("none.csv"))).toEqual([]);
    });

    test.each(CHECKED_FILES)(
      "a file that is not written as the model reads it: $name",
      ({ modelPath, csv, refusal }) => {
        writeFileSync(join(folder, "checked.csv"), csv);
        const { err, code } = python([READER, modelPath, "checked.csv", "--out", "unread.csv"]);
        expect([err, code]).toEqual(refusal === null ? ["", 0] : [refusal, 3]);
        expect(existsSync(join(folder, "unread.csv"))).toBe(refusal === null);
        rmSync(join(folder, "unread.csv"), { force: true });
      },
    );

    test("what is not UTF-8, and a result that is there already", () => {
      writeFileSync(join(folder, "latin.csv"), Buffer.from(`${input}\xe4`, "latin1"));
      expect(python([READER, model, "latin.csv"]).err).toContain("latin.csv is not UTF-8");
      writeFileSync(join(folder, "there.csv"), "mine");
      const there = python([READER, model, "latin.csv", "--out", "there.csv"]);
      expect([there.code, there.err]).toEqual([3, expect.stringContaining("there.csv exists already")]);
      expect(readFileSync(join(folder, "there.csv"), "utf8")).toBe("mine");
    });

    test("damaged, newer and other files", () => {
      const bytes = readFileSync(model);
      const cases: [string, Uint8Array, string][] = [
        ["no.cupel", Buffer.from("PK\u0003\u0004 something else"), "not a Cupel model"],
        ["short.cupel", bytes.subarray(0, bytes.length - 100), "damaged"],
        ["tiny.cupel", bytes.subarray(0, 12), "damaged"],
        ["flipped.cupel", bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 4), "its checksum does not match"],
        ["newer.cupel", bytes.with(8, 99), "format 99"],
        ...[...spoiledLayers(), ...spoiledDifferences()].map((own): [string, Uint8Array, string] => [
          ...(["part.cupel", own, "damaged"] as const),
        ]),
      ];
      for (const [name, content, message] of cases) {
        writeFileSync(join(folder, name), content);
        const { err, code } = python([READER, name, join(MODELS, "penguins-input.csv")]);
        expect([code, err]).toEqual([3, expect.stringContaining(message)]);
      }
      expect(python([READER, "nowhere.cupel", "x.csv"]).code).toBe(3);
    });

    test("or answers, but never fails otherwise: files that were made up under a sound checksum", () => {
      const random = new Random(7);
      const tasks = Array.from({ length: MADE_UP_FILES }, () => {
        const { path } = vectors[random.nextBelow(vectors.length)]!;
        const { rows } = JSON.parse(readFileSync(path.replace(/cupel$/, "json"), "utf8")) as VectorAnswers;
        return { bytes: madeUp(readFileSync(path), random).toString("base64"), rows: rows.slice(0, 5) };
      });
      const outcomes = answersByReader<string | string[]>(tasks);
      const refused = outcomes.filter((outcome) => typeof outcome === "string");
      expect(refused.length).toBeGreaterThan(MADE_UP_FILES / 4);
      expect(refused.length).toBeLessThan(MADE_UP_FILES);
      for (const outcome of refused) expect(outcome).toMatch(/damaged|does not know models/);
    });
  });
});

/** The file with some bytes changed behind its first fields, and a checksum to match. */
function madeUp(file: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(file);
  const end = bytes.length - 4;
  const jsonEnd = 16 + bytes.readUInt32LE(12);
  for (let count = 1 + random.nextBelow(5); count > 0; count--) {
    const at =
      random.nextBelow(2) === 0 ? 16 + random.nextBelow(jsonEnd - 16) : jsonEnd + random.nextBelow(end - jsonEnd);
    bytes[at] = random.nextBelow(3) === 0 ? random.nextBelow(256) : bytes[at]! ^ (1 << random.nextBelow(8));
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  return bytes;
}

describeWithTools("a model exported to Python", { needed: ["python3"] }, () => {
  test("is a program that scores files and proves itself, and a module", () => {
    const name = "stack-texts.cupel";
    copyFileSync(join(VECTORS, name), join(folder, name));
    const cupel = [process.execPath, join(ROOT, "src/main.ts"), "export", name, "--to", "python"];
    const { stdout, exitCode } = Bun.spawnSync(cupel, { cwd: folder });
    expect([stdout.toString(), exitCode]).toEqual(["Wrote score.py, score.py.check.json\n", 0]);
    expect(python(["score.py", "--check", "score.py.check.json"])).toEqual({
      ...{ out: expect.stringContaining("24 rows: 0 labels differ"), err: "", code: 0 },
    });
    writeFileSync(join(folder, "texts.csv"), textTable(2).csv);
    const outputPath = join(folder, "texts-expected.csv");
    const options = { likeInput: false, spreadsheetSafe: false };
    scoreFile(
      { modelPath: join(folder, name), inputPath: join(folder, "texts.csv"), outputPath, ...options },
      neverStop,
    );
    const expected = readFileSync(outputPath, "utf8");
    expect(python(["score.py", "texts.csv"])).toEqual({ out: expected, err: "", code: 0 });
    const row = { review: "great, lovely", title: null, stars: 4 };
    const module = `from score import Model; print(Model.inside().predict([${JSON.stringify(row).replace("null", "None")}]))`;
    expect(python(["-c", module]).out).toMatch(/^\['(?:yes|no)'\]\n$/);
  });
});

describeWithTools("docs/exports.md", { needed: ["python3"] }, () => {
  test("has examples for Python that run as they stand there", () => {
    const own = mkdtempSync(join(folder, "example-"));
    const run = (command: readonly string[]) => Bun.spawnSync([...command], { cwd: own });
    copyFileSync(join(MODELS, "penguins-random-forest.cupel"), join(own, "model.cupel"));
    copyFileSync(join(MODELS, "penguins-input.csv"), join(own, "new.csv"));
    const [commands] = examplesIn("docs/exports.md", "sh", "score.py");
    const shell = commands!.replace("cupel", `"${process.execPath}" "${join(ROOT, "src/main.ts")}"`);
    expect(run(["bash", "-ec", shell]).exitCode).toBe(0);
    expect(readFileSync(join(own, "result.csv"), "utf8")).toBe(
      readFileSync(join(MODELS, "penguins-random-forest.csv"), "utf8"),
    );
    const [example] = examplesIn("docs/exports.md", "python", "Model.inside");
    expect(run(["python3", "-c", example!]).stdout.toString()).toMatch(/^Gentoo [\d.]+ \{'Adelie': /);
  });
});

test("a model too large for a program's text is refused, and the way out named", () => {
  const bytes = readFileSync(vectorPath("stack-many-classes"));
  expect(pythonProgram(bytes)).toContain('\nMODEL = """\n');
  expect(() => pythonProgram(bytes, 1_000)).toThrow(
    /Export a smaller version of the model, or take the reader for Python alone/,
  );
});
