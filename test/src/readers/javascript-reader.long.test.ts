// The JavaScript reader as the one module that leaves: every vector's labels
// and probabilities, in Bun, Node and a browser.
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { chromium } from "playwright-core";
import { checkFile } from "../../../engine/export/check-file.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { javascriptModule, javascriptReader } from "../../../src/exporting/javascript.ts";
import type * as Reader from "../../../src/readers/javascript/reader.ts";
import { csvLine, FileCutter, RecordCutter } from "../../../src/readers/javascript/records.ts";
import { type JsonRow, scoreRows } from "../../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../../workers/scoring/model-cache.ts";
import { scoreFile } from "../../../workers/scoring/score-file.ts";
import { testFolder } from "../../support/folders.ts";
import { writeOddHeaders } from "../../support/odd-headers.ts";
import { runProgramNow } from "../../support/programs.ts";
import { describeWithTools } from "../../support/tools.ts";
import { CHECKED_FILES } from "../../support/unreadable-files.ts";
import { VECTORS, type VectorAnswers } from "../../support/vectors.ts";

const NAMES = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((name) => name.slice(0, -".cupel".length));
const MODELS = join(import.meta.dir, "../../fixtures/models");
const modelPath = (name: string) => join(VECTORS, `${name}.cupel`);
const bytesOf = (name: string) => new Uint8Array(readFileSync(modelPath(name)));
const answersOf = (name: string): VectorAnswers => JSON.parse(readFileSync(join(VECTORS, `${name}.json`), "utf8"));

const folder = testFolder();
let reader: typeof Reader;
beforeAll(async () => {
  writeFileSync(join(folder, "reader.mjs"), await javascriptReader());
  reader = await import(join(folder, "reader.mjs"));
});
function expectAnswers(found: readonly Reader.Answer[], { labels, probabilities }: VectorAnswers): void {
  expect(found.map(({ label }) => label)).toEqual(labels);
  found.forEach((answer, row) => {
    const shares = Object.values(answer.probabilities);
    for (const [k, share] of shares.entries()) expect(Math.abs(share - probabilities[row]![k]!)).toBeLessThan(1e-12);
    expect(answer.confidence).toBe(answer.probabilities[answer.label]!);
  });
}

describe("the module", () => {
  test.each(NAMES)("scores %s", (name) => {
    const expected = answersOf(name);
    const model = reader.loadModel(bytesOf(name));
    expect([...model.columns]).toEqual(expected.columns);
    expectAnswers(model.score(expected.rows), expected);
    const named = expected.rows.map((row) => Object.fromEntries(row.map((cell, at) => [expected.columns[at]!, cell])));
    // One row does not know of others, and none of those before it.
    for (const at of [7, 3]) {
      const alone = { ...expected, labels: [expected.labels[at]!], probabilities: [expected.probabilities[at]!] };
      expectAnswers(model.score([named[at]!]), alone);
    }
  });

  test("takes typed values as the service does", () => {
    const model = reader.loadModel(bytesOf("stack-many-classes"));
    const { columns, features } = unpackModel(bytesOf("stack-many-classes"));
    const values = columns.map(({ reading }, at) => {
      if (reading.kind === "number") return fc.oneof(fc.integer({ min: -50, max: 20_000 }), fc.constant(null));
      if (reading.kind === "date") return fc.constant(null);
      const names = features.flatMap((own) => (own.column === at && own.kind === "category" ? own.names : []));
      return fc.oneof(fc.constantFrom(...names, "none such"), fc.boolean(), fc.integer({ min: 0, max: 9 }));
    });
    const cache = new ModelCache({ mostBytes: 1, idleMs: 1e9 });
    fc.assert(
      fc.property(fc.tuple(...values), (cells) => {
        const row: JsonRow = Object.fromEntries(cells.map((cell, at) => [columns[at]!.name, cell]));
        const [{ label, confidence, probabilities }] = scoreRows(cache, modelPath("stack-many-classes"), [row])
          .scores as [Reader.Answer];
        expect(model.score([row])).toEqual([{ label, confidence, probabilities }]);
      }),
      { numRuns: 200 },
    );
  });

  test("takes a Date as its text in UTC, in either order of the days", () => {
    const model = reader.loadModel(bytesOf("stack-two-classes"));
    const { columns, rows } = answersOf("stack-two-classes");
    const known = Object.fromEntries(columns.map((name, at) => [name, rows[7]![at]!]));
    const score = (cells: Readonly<Record<string, Reader.Value>>) => model.score([{ ...known, ...cells }])[0]!;
    const day = new Date("1969-07-01T08:15:30.250Z");
    const late = new Date("2012-03-04T23:59:00Z");
    expect(score({ Geboren: day, Eröffnet: late })).toEqual(
      score({ Geboren: "01.07.1969", Eröffnet: "2012-03-04 23:59" }),
    );
    const none = { Geboren: new Date(Number.NaN), Eröffnet: new Date("+012345-01-01T00:00:00Z") };
    expect(score(none)).toEqual(score({ Geboren: null, Eröffnet: null }));
    expect(score(none)).not.toEqual(score({ Geboren: day, Eröffnet: late }));
    expect(score({ Region: day })).toEqual(score({ Region: "1969-07-01T08:15:30.250Z" }));
    for (const cells of [{ Zins: day }, { Zins: {} }, { Geboren: [day] }, { Region: new Map() }]) {
      const [name] = Object.keys(cells);
      expect(() => score(cells as Readonly<Record<string, Reader.Value>>)).toThrow(`"${name}" takes no object.`);
    }
  });

  test("says what a row lacks, and what a file is not", () => {
    const model = reader.loadModel(bytesOf("forest-two-classes"));
    expect(() => model.score([{ Zins: 1 }])).toThrow(/^Row 1 lacks "Betrag", .*give null\.$/);
    expect(() => model.score([["1"]])).toThrow("Row 1 has 1 cells; the model has 9 columns.");
    const bytes = bytesOf("forest-two-classes");
    expect(() => reader.loadModel(bytes.subarray(0, 900))).toThrow(/damaged/);
    expect(() => reader.loadModel(bytes.with(8, 99))).toThrow(/Use a newer Cupel/);
    expect(() => reader.loadModel(new TextEncoder().encode("a,b\n1,2\n"))).toThrow(/not a Cupel model/);
  });

  test("holds no way to fit a model or to guess at a file, and stays small", async () => {
    const text = await javascriptReader();
    expect(text.length).toBeLessThan(64_000);
    for (const absent of ["Papa", "lbfgs", "fromBase64", "createRequire"]) expect(text).not.toContain(absent);
  });

  test("refuses a model that it cannot hold", async () => {
    await expect(javascriptModule(new Uint8Array(3000), 3999)).rejects.toThrow(/take the reader for JavaScript alone/);
  });
});

describe("records", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ", "é", "\u{1f600}"), maxLength: 5 });

  test("are cut from pieces as they were written", () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.array(fc.nat(40), { maxLength: 6 }), (records, places) => {
        const text = records.map(csvLine).join("");
        const cuts = [...new Set([0, ...places.filter((at) => at < text.length), text.length])].sort((a, b) => a - b);
        const cutter = new RecordCutter(",");
        const pieces = cuts.slice(1).map((end, at) => text.slice(cuts[at]!, end));
        const found = [...pieces.flatMap((piece) => cutter.cut(piece)), ...cutter.end()];
        expect(found.map(({ cells }) => cells)).toEqual(records);
        let line = 1;
        records.forEach((record, at) => {
          expect(found[at]!.line).toBe(line);
          line += csvLine(record).match(/\r\n|\r|\n/g)!.length;
        });
      }),
    );
  });

  test("need quotation marks that are closed, and leave out blank lines", () => {
    const cutter = new RecordCutter(";");
    expect(cutter.cut("a;b\r\n\r\n \n1;2").map(({ cells }) => cells)).toEqual([["a", "b"]]);
    expect(cutter.end()).toEqual([{ cells: ["1", "2"], line: 4 }]);
    const open = new RecordCutter(",");
    open.cut('a\n"b\nc');
    expect(() => open.end()).toThrow("The quotation mark in line 2 is not closed.");
  });

  test("are separated by what stands between the names, wherever the file is cut", () => {
    const names = new Set(["a,b", "c", "d\ne"]);
    const headers: [string, string[]][] = [
      ...["a,b;c", '"a,b",c', "a,b|c", "a,b\tc", 'sep=#\r\n"a,b"#c'].map((text): [string, string[]] => [
        text,
        ["a,b", "c"],
      ]),
      ["x;y,z", ["x;y", "z"]],
      ...['"d\ne";"c"', '\r\n \r\n"d\ne"|c', '"d\ne"\tc'].map((text): [string, string[]] => [text, ["d\ne", "c"]]),
    ];
    for (const [text, header] of headers) {
      const whole = `${text}\r\n"1\n2"`;
      for (let at = 0; at <= whole.length; at++) {
        const cutter = new FileCutter(names);
        const records = [...cutter.cut(whole.slice(0, at), false), ...cutter.cut(whole.slice(at), true)];
        expect(records.map(({ cells }) => cells)).toEqual([header, ["1\n2"]]);
        expect(records[1]!.line).toBe(1 + (text.match(/\n/g) ?? []).length + 1);
      }
    }
  });

  test("are cut where a quotation mark stays open between other delimiters than the file's", () => {
    const cutter = new FileCutter(new Set(["c"]));
    const rows = Array.from({ length: 20_000 }, () => "1,2");
    const records = cutter.cut(['x|"y,c', ...rows, ""].join("\n"), false);
    expect(records[0]!.cells).toEqual(['x|"y', "c"]);
    expect(records).toHaveLength(1 + rows.length);
  });
});

describeWithTools("the module as a program", { needed: ["node"] }, () => {
  const node = (args: readonly string[], input = "") => runProgramNow(["node", ...args], { folder, input });

  test.each(NAMES)("agrees with the vector %s", (name) => {
    const { out, err, code } = node(["reader.mjs", modelPath(name), "--check", join(VECTORS, `${name}.json`)]);
    expect([err, code]).toEqual(["", 0]);
    expect(out).toMatch(/^60 rows: 0 labels differ, probabilities by \d\.\de[+-]\d+ at most\.\n$/);
  });

  const INPUT = join(MODELS, "penguins-input.csv");
  const MODEL = join(MODELS, "penguins-random-forest.cupel");

  test("writes what cupel predict writes, from a file and from a pipe", async () => {
    writeFileSync(join(folder, "score.mjs"), await javascriptModule(new Uint8Array(readFileSync(MODEL))));
    const outputPath = join(folder, "by-cupel.csv");
    const plain = { likeInput: false, spreadsheetSafe: false, hasHeader: true };
    await scoreFile({ modelPath: MODEL, inputPath: INPUT, outputPath, ...plain }, neverStop);
    const expected = readFileSync(outputPath, "utf8");
    expect(node(["score.mjs", INPUT])).toEqual({ out: expected, err: "", code: 0 });
    expect(node(["score.mjs", "-"], readFileSync(INPUT, "utf8")).out).toBe(expected);
    const withBom = `\ufeffsep=;\r\n${readFileSync(INPUT, "utf8").replaceAll(",", ";").replaceAll("\n", "\r\n")}`;
    expect(node(["score.mjs", "-"], withBom).out).toBe(expected);
    expect(node(["score.mjs", INPUT, "--out", "own.csv"])).toEqual({ out: "", err: "", code: 0 });
    expect(readFileSync(join(folder, "own.csv"), "utf8")).toBe(expected);
  });

  test("writes what cupel predict writes where the header is odd", () => {
    for (const { name, modelPath, path, expected } of writeOddHeaders(folder)) {
      expect({ name, ...node(["reader.mjs", modelPath, path]) }).toEqual({ name, out: expected, err: "", code: 0 });
    }
  });

  test("refuses what it cannot score, and leaves nothing half-written", () => {
    const header = readFileSync(INPUT, "utf8").split("\n", 1)[0]!;
    writeFileSync(join(folder, "lacking.csv"), "island,sex\nDream,male\n");
    writeFileSync(join(folder, "short.csv"), `${header}\n${"x,".repeat(header.split(",").length - 1)}x\n1,2\n`);
    writeFileSync(join(folder, "latin.csv"), Buffer.from(`${header}\nB\xfc,1,1,1,1,1\n`, "latin1"));
    writeFileSync(join(folder, "empty.csv"), "");
    const refusals: Record<string, RegExp> = {
      "lacking.csv": /^The file lacks "bill_length_mm", .* Names must match exactly\.\n$/,
      "short.csv": /^Line 3 has 2 cells where the header has \d+ columns\. Correct the line\.\n$/,
      "latin.csv": /^latin\.csv is not UTF-8\. Save it as UTF-8\.\n$/,
      "empty.csv": /^empty\.csv is empty\. It needs a line of column names\.\n$/,
      "none.csv": /none\.csv/,
    };
    for (const [name, saying] of Object.entries(refusals)) {
      const { out, err, code } = node(["reader.mjs", MODEL, name, "--out", "refused.csv"]);
      expect([name, out, code]).toEqual([name, "", 3]);
      expect(err).toMatch(saying);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("refused"))).toEqual([]);
    writeFileSync(join(folder, "there.csv"), "mine");
    expect(node(["reader.mjs", MODEL, INPUT, "--out", "there.csv"]).err).toContain("there.csv exists already");
    expect(readFileSync(join(folder, "there.csv"), "utf8")).toBe("mine");
    for (const args of [[], [MODEL], [MODEL, INPUT, "more"], [MODEL, "--check"], [MODEL, INPUT, "--no"]]) {
      expect(node(["reader.mjs", ...args])).toMatchObject({ code: 2, out: "" });
    }
  });

  test.each(CHECKED_FILES)("refuses a file that is not written as the model reads it: $name", (file) => {
    writeFileSync(join(folder, "checked.csv"), file.csv);
    const { err, code } = node(["reader.mjs", file.modelPath, "checked.csv", "--out", "unread.csv"]);
    expect([err, code]).toEqual(file.refusal === null ? ["", 0] : [file.refusal, 3]);
    expect(existsSync(join(folder, "unread.csv"))).toBe(file.refusal === null);
    rmSync(join(folder, "unread.csv"), { force: true });
  });

  test("tells a check file of another model, and one that it does not meet", () => {
    const file = unpackModel(readFileSync(MODEL));
    const check = checkFile(file);
    const wrong = { ...check, labels: check.labels.with(0, "none") };
    writeFileSync(join(folder, "wrong.json"), JSON.stringify(wrong));
    writeFileSync(join(folder, "other.json"), JSON.stringify({ ...check, columns: ["a"] }));
    expect(node(["reader.mjs", MODEL, "--check", "wrong.json"])).toMatchObject({ code: 3, err: "" });
    expect(node(["reader.mjs", MODEL, "--check", "other.json"]).err).toContain("of another model");
  });
});

describeWithTools("the module in a browser", { needed: ["chromium"] }, () => {
  test("scores rows with the model inside", async () => {
    const name = "stack-texts";
    const expected = answersOf(name);
    const text = await javascriptModule(bytesOf(name));
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const found = await page.evaluate(
        async ({ text, rows }) => {
          const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const { model } = (await import(address)) as typeof Reader;
          return model!.score(rows);
        },
        { text, rows: expected.rows },
      );
      expectAnswers(found, expected);
    } finally {
      await browser.close();
    }
  }, 60_000);
});
