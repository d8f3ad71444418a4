// The result of a whole file as bytes: what the way of text gives, line by line, for files of every layout.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readCsv } from "../../../engine/csv/read.ts";
import type { CsvHeader, RecordSink } from "../../../engine/csv/types.ts";
import { formatRecord } from "../../../engine/csv/write.ts";
import type { ScoreTables } from "../../../engine/fitting/score-tables.ts";
import { InputError } from "../../../engine/input-error.ts";
import { type ModelColumn, type ModelFeature, type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import { BadRows } from "../../../engine/scoring/bad-rows.ts";
import { ResultCsv, type ResultOptions } from "../../../engine/scoring/result-csv.ts";
import { ResultFile } from "../../../engine/scoring/result-file.ts";
import { chunkSizes, chunksOf, drawnCsv } from "../../support/drawn-csv.ts";

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "models");
const PLAIN = { likeInput: false, spreadsheetSafe: false };

type Chunks = () => Iterable<Uint8Array>;

/** The result and what is said of it; of an InputError its code and line. */
interface Told {
  text: string;
  report: string;
  warnings: unknown;
  counts: unknown;
}

function scored(score: () => Told): Told | string {
  try {
    return score();
  } catch (error) {
    if (error instanceof InputError) return `${error.code} ${error.line}`;
    throw error;
  }
}

/** Record by record as text: the oracle. */
function byText(file: ModelFile, chunks: Chunks, options: ResultOptions, skipsBad = false): Told {
  let found: ResultCsv | null = null;
  let text = "";
  let report = "";
  const start = (header: CsvHeader): RecordSink => {
    const result = new ResultCsv(file, header, { ...options, countedRows: 1 });
    found = result;
    text = result.headerLine;
    report = "line,reason\n";
    return ({ records, lines, bad }) => {
      records.forEach((record, at) => {
        const reason = bad?.get(at);
        text += reason === undefined ? result.lines([record], { lines: lines.subarray(at, at + 1) }) : result.emptyLine;
        if (reason !== undefined)
          report += formatRecord([`${lines[at]}`, reason], { delimiter: ",", lineEnding: "\n" });
      });
    };
  };
  readCsv(chunks, start, true, { skipsBad });
  return toldOf(text, found!, report);
}

function byBytes(file: ModelFile, chunks: Chunks, options: ResultOptions, skipsBad = false): Told {
  const open: { result: ResultCsv; sink: ResultFile }[] = [];
  let parts: string[] = [];
  let report = "";
  const start = (header: CsvHeader) => {
    const result = new ResultCsv(file, header, { ...options, countedRows: 1 });
    parts = [result.headerLine];
    report = "";
    const bad = new BadRows((text) => {
      report += text;
    });
    const sink = new ResultFile(result, (bytes) => parts.push(Buffer.from(bytes).toString()), bad);
    open.push({ result, sink });
    return sink;
  };
  readCsv(chunks, start, true, { skipsBad });
  const { result, sink } = open.at(-1)!;
  sink.end();
  return toldOf(parts.join(""), result, report);
}

function toldOf(text: string, result: ResultCsv, report: string): Told {
  const { rowCount, decisions, confidence } = result.scorer.counts!.scored();
  return { text, report, warnings: result.warnings(), counts: [rowCount, decisions, confidence.tenths] };
}

const READINGS: readonly ModelColumn["reading"][] = [
  { kind: "number", form: { decimal: ".", grouping: "", affix: "" } },
  { kind: "number", form: { decimal: ",", grouping: "", affix: "" } },
  { kind: "number", form: { decimal: ".", grouping: "", affix: "$" } },
  { kind: "date", form: { order: "ymd" } },
  { kind: "category" },
];
const NAMES = [
  ["red", "green", "blue", "é", "", "?", "007", "-0", "x"],
  ["1", "2", "3", "-5", "40"],
];

/** An additive model of columns `c0`, `c1`, … that are read in every way there is. */
function drawModel(random: Random, columnCount: number, missingMarkers: readonly string[]): ModelFile {
  const features: ModelFeature[] = [];
  const columns = Array.from({ length: columnCount }, (_, column): ModelColumn => {
    const reading = READINGS[random.nextBelow(READINGS.length)]!;
    if (reading.kind === "category") {
      const names = NAMES[random.nextBelow(2)]!;
      // Codes of 1 are those of names that no fitting row had.
      const codes = Uint16Array.from(names, () => 1 + random.nextBelow(6));
      const codeOfOthers = 1 + random.nextBelow(2);
      features.push({ column, codeCount: 300, kind: "category", part: null, names, codes, codeOfOthers });
    } else {
      const cutPoints = Float64Array.of(-40, -1, 0, 0.5, 1, 2, 7, 29, 1999, 1e9);
      const parts = reading.kind === "date" ? (["year", "day", "hour"] as const) : [null];
      for (const part of parts) features.push({ column, codeCount: 13, kind: "number", part, cutPoints });
    }
    return { name: `c${column}`, kind: reading.kind, reading, missingCount: random.nextBelow(2) };
  });
  const classCount = 2 + random.nextBelow(2);
  const outputCount = classCount === 2 ? 1 : classCount;
  const draw = (length: number) => Float64Array.from({ length }, () => random.nextFloat() - 0.5);
  const model: ScoreTables = {
    kind: "additive",
    classCount,
    outputCount,
    intercepts: draw(outputCount),
    tables: features.map(({ codeCount }) => draw(codeCount * outputCount)),
  };
  const labels = ["=yes", 'no, "never"', "x"].slice(0, classCount);
  return {
    lineage: {} as never,
    label: "c0",
    labels,
    positiveLabel: null,
    missingMarkers,
    columns,
    features,
    model,
  };
}

test("is what the way of text gives for drawn files", () => {
  fc.assert(
    fc.property(
      drawnCsv,
      chunkSizes,
      fc.integer(),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom(0, 0, 2),
      fc.constantFrom([], ["NA", "?"], ["-1", "NA"]),
      fc.constantFrom(null, null, ["prediction"], ["probability_=yes", "prediction"], ["confidence"]),
      fc.boolean(),
      ({ bytes, columnCount }, sizes, seed, likeInput, spreadsheetSafe, reasonCount, markers, only, skipsBad) => {
        const file = drawModel(new Random(seed), columnCount, markers);
        const options = { likeInput, spreadsheetSafe, reasonCount, only, hasOutputHeader: seed % 2 === 0 };
        const chunks = () => chunksOf(bytes, sizes);
        const [ours, oracle] = [byBytes, byText].map((way) => scored(() => way(file, chunks, options, skipsBad)));
        expect(ours).toEqual(oracle);
        if (skipsBad) expect(`${ours}`).not.toMatch(/^CELL_COUNT/);
      },
    ),
    { numRuns: 150 },
  );
});

describe("for stored models", () => {
  const models = readdirSync(FOLDER).filter((name) => name.endsWith(".cupel"));

  test.each(models)("%s", (name) => {
    const file = unpackModel(readFileSync(join(FOLDER, name)));
    const input = readFileSync(join(FOLDER, `${name.split("-")[0]}-input.csv`));
    expect(byBytes(file, () => [input], PLAIN).text).toBe(
      readFileSync(join(FOLDER, name.replace(".cupel", ".csv")), "utf8"),
    );
  });
});

describe("of many rows", () => {
  const file = unpackModel(readFileSync(join(FOLDER, "penguins-random-forest.cupel")));
  const [head, ...rows] = readFileSync(join(FOLDER, "penguins-input.csv"), "utf8").trimEnd().split("\n");
  const table = (count: number, end: string, line: (row: number) => string) =>
    Buffer.from([head, ...Array.from({ length: count }, (_, row) => line(row))].join(end) + end);
  const rowAt = (row: number) => rows[row % rows.length]!;
  const expectSame = (bytes: Buffer, sizes: readonly number[], options: ResultOptions) => {
    const chunks = () => chunksOf(bytes, sizes);
    expect(byBytes(file, chunks, options)).toEqual(byText(file, chunks, options));
  };

  test("more than are scored at once, in chunks that cut lines", () => {
    expectSame(table(40_000, "\n", rowAt), [100_003], PLAIN);
  });

  test("with quotes and marks in some lines, and both line ends", () => {
    const odd = (row: number) => {
      const line = rowAt(row);
      if (row % 1000 === 7) return line.replace("male", '"male"');
      if (row % 1000 === 8) return `\ufeff${line}`;
      if (row % 1000 === 9) return line.replace("male", '"ma\nle"');
      return line;
    };
    for (const end of ["\n", "\r\n"]) {
      for (const likeInput of [false, true]) expectSame(table(4000, end, odd), [1 << 20], { ...PLAIN, likeInput });
    }
  });

  test("where numbers would have to stand in quotes", () => {
    const text = [head!.replaceAll(",", "."), ...Array.from({ length: 5 }, () => "Dream.NA.2.180.NA.male.x")].join(
      "\n",
    );
    const bytes = Buffer.from(`sep=.\n${text}\n`);
    for (const likeInput of [false, true]) expectSame(bytes, [1 << 20], { ...PLAIN, likeInput });
  });

  test("without any", () => {
    expectSame(table(0, "\n", rowAt), [1 << 20], PLAIN);
  });

  test("the chosen columns of an answer are those of the whole one", () => {
    const bytes = table(40_000, "\n", rowAt);
    const whole = byBytes(file, () => [bytes], PLAIN)
      .text.trimEnd()
      .split("\n");
    const names = whole[0]!.split(",");
    for (const only of [["prediction"], ["confidence", "prediction"], ["probability_Gentoo", "probability_Adelie"]]) {
      const places = only.map((name) => names.indexOf(name));
      const chosen = whole.map((line) => places.map((place) => line.split(",")[place]).join(","));
      expect(
        byBytes(file, () => [bytes], { ...PLAIN, only })
          .text.trimEnd()
          .split("\n"),
      ).toEqual(chosen);
    }
    expect(() => byBytes(file, () => [bytes], { ...PLAIN, only: ["prediction", "sex"] })).toThrow(
      'The answer has no column "sex". It has "prediction", "confidence", "probability_Adelie"',
    );
  });

  test("where bad rows are more than are scored at once, each has an empty line in its place", () => {
    const isBad = (row: number) => row % 40 > 5;
    const line = (row: number) => (isBad(row) ? ["", "short,row"][row % 2]! : rowAt(row));
    const bytes = table(40_000, "\n", line);
    const { text, report, counts } = byBytes(
      file,
      () => [bytes],
      { ...PLAIN, only: ["prediction", "confidence"] },
      true,
    );
    const clean = byBytes(file, () => [table(40_000, "\n", rowAt)], { ...PLAIN, only: ["prediction", "confidence"] });
    const expected = clean.text.split("\n").map((own, at) => (own !== "" && at > 0 && isBad(at - 1) ? "," : own));
    expect(text.split("\n")).toEqual(expected);
    const lines = Array.from({ length: 40_000 }, (_, row) => row + 2).filter((own) => isBad(own - 2));
    expect(
      report
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((own) => Number(own.split(",")[0])),
    ).toEqual(lines);
    expect((counts as number[])[0]).toBe(40_000 - lines.length);
  });

  test("of which none can be read", () => {
    const { text } = byBytes(file, () => [table(20_000, "\n", () => "x")], { ...PLAIN, only: ["prediction"] }, true);
    expect(text).toBe(`prediction\n${'""\n'.repeat(20_000)}`);
  });
});
