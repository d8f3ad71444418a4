// Joining training rows with labelled rows of later files, against a plain version: other
// dialects, orders, quotes, keys, and rows learned before.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import Papa from "papaparse";
import { unpackModel } from "../../engine/model/model-file.ts";
import { Scorer } from "../../engine/scoring/scorer.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { compareModels } from "../../workers/compare-models.ts";
import { type JoinRowsRequest, joinRows, type LaterFile } from "../../workers/join-rows.ts";
import { readWhole } from "../../workers/reading/file-chunks.ts";
import { testFolder } from "../support/folders.ts";

const folder = testFolder();
const MODELS = join(import.meta.dir, "..", "fixtures", "models");
const MODEL = join(MODELS, "penguins-naive-Bayes.cupel");
const FEATURES = ["island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex"];
const LABELS = ["Adelie", "Chinstrap", "Gentoo"];
/** `note` is no column of the model. */
const NAMES = ["note", ...FEATURES, "species"];

interface Dialect {
  delimiter: string;
  decimal: "." | ",";
  newline: string;
  allQuoted: boolean;
}

const dialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t"),
  decimal: fc.constantFrom(".", ","),
  newline: fc.constantFrom("\n", "\r\n"),
  allQuoted: fc.boolean(),
});

type Row = Readonly<Record<string, string>>;

const row: fc.Arbitrary<Row> = fc.record({
  note: fc.constantFrom("", "plain", 'a "quoted" one', "semi;colon, comma", "two\nlines", "tab\there"),
  island: fc.constantFrom("Torgersen", "Biscoe", "Dream", "Atlantis, lost"),
  bill_length_mm: fc.integer({ min: 320, max: 599 }).map((tenths) => (tenths / 10).toFixed(1)),
  bill_depth_mm: fc.integer({ min: 130, max: 219 }).map((tenths) => (tenths / 10).toFixed(1)),
  flipper_length_mm: fc.constantFrom("181", "200", "", "NA"),
  body_mass_g: fc.integer({ min: 2_700, max: 6_300 }).map(String),
  sex: fc.constantFrom("male", "female", "", "NA"),
  species: fc.constantFrom(...LABELS),
});

function textOf(names: readonly string[], rows: readonly Row[], { decimal, ...how }: Dialect): string {
  const cell = (name: string, text: string) => (name.endsWith("_mm") ? text.replace(".", decimal) : text);
  const data = rows.map((own) => names.map((name) => cell(name, own[name]!)));
  const { delimiter, newline, allQuoted: quotes } = how;
  return `${Papa.unparse([names as string[], ...data], { delimiter, newline, quotes })}${newline}`;
}

let files = 0;
function stored(text: string): string {
  const path = join(folder, `${files++}.csv`);
  writeFileSync(path, text);
  return path;
}

function recordsOf(path: string): Row[] {
  const { data, errors } = Papa.parse<Row>(readFileSync(path, "utf8").trimEnd(), { header: true });
  expect(errors).toEqual([]);
  return data;
}

const PLAIN: Dialect = { delimiter: ",", decimal: ".", newline: "\n", allQuoted: false };

const later = (inputPath: string, labelsPath: string, changes: Partial<LaterFile> = {}): LaterFile => ({
  ...{ name: "may.csv", inputPath, hasHeader: true, originalColumns: null, keptColumns: undefined },
  ...{ labelsPath, labelsHaveHeader: true, labelColumn: null, keyColumn: null, fromRow: 0 },
  ...changes,
});

function requestOf(
  trainPath: string,
  sources: readonly LaterFile[],
  changes: Partial<JoinRowsRequest["trained"]> = {},
) {
  const outputs = { joinedPath: join(folder, "joined.csv"), keptPath: join(folder, "kept.csv") };
  const trained = { path: trainPath, hasHeader: true, label: "species", mostRows: null, keyColumns: [], ...changes };
  return { trained, modelPath: MODEL, sources, ...outputs };
}

/** As a row of a later file stands in the joined table: missing cells are empty. */
function withoutMarkers(own: Row): Row {
  return Object.fromEntries(NAMES.map((name) => [name, own[name] === "NA" ? "" : own[name]!]));
}

/** Numbers of the joined table as numbers, whatever they look like. */
function valued(own: Row): Record<string, string | number> {
  const value = (name: string, text: string) =>
    text === "" || text === "NA" || !/_mm$|_g$/.test(name) ? text : Number(text.replace(",", "."));
  return Object.fromEntries(Object.entries(own).map(([name, text]) => [name, value(name, text)]));
}

describe("joined rows", () => {
  test("are the training rows as they stand, then the labelled rows as the training file would have them", () => {
    const shuffled = (names: readonly string[]) => fc.shuffledSubarray([...names], { minLength: names.length });
    const table = fc.record({
      train: fc.array(row, { minLength: 40, maxLength: 40 }),
      rows: fc.array(row, { minLength: 130, maxLength: 160 }),
      known: fc.array(fc.boolean(), { minLength: 160, maxLength: 160 }),
      how: dialect,
      names: shuffled(["note", ...FEATURES]),
      isKeyed: fc.boolean(),
      mostRows: fc.option(fc.integer({ min: 0, max: 60 })),
      cut: fc.integer({ min: 0, max: 130 }),
    });
    fc.assert(
      fc.property(table, ({ train, rows, known, how, names, isKeyed, mostRows, cut }) => {
        // At most a fifth of the labels are not known yet.
        const labels = rows.map(({ species }, at) => (at % 5 === 0 && !known[at] ? "" : species!));
        const keyed = rows.map((own, at) => ({ ...own, id: `k${at}` }));
        const parts = [
          [0, cut],
          [cut, rows.length],
        ] as const;
        const sources = parts.map(([from, to]) => {
          const order = [...labels.slice(from, to).entries()];
          if (isKeyed) order.reverse();
          const truth = order.map(([at, label]) => `k${from + at};"${label}"`).join("\n");
          const input = textOf(isKeyed ? ["id", ...names] : names, keyed.slice(from, to), how);
          return later(stored(input), stored(`id;species\n${truth}\n`), { keyColumn: isKeyed ? "id" : null });
        });
        const request = requestOf(stored(textOf(NAMES, train, PLAIN)), sources, { mostRows });
        const answer = joinRows(request, neverStop);
        const labelled = rows.flatMap((own, at) => (labels[at] === "" ? [] : [{ ...own, species: labels[at]! }]));
        const keptCount = Math.max(50, Math.ceil(0.3 * labelled.length));
        const expected = labelled.map(withoutMarkers);
        const used = mostRows === null ? train : train.slice(train.length - Math.min(mostRows, train.length));
        const [joined, kept] = [recordsOf(request.joinedPath), recordsOf(request.keptPath)];
        expect(joined.slice(0, used.length)).toEqual(used);
        expect(joined.slice(used.length).map(valued)).toEqual(expected.slice(0, -keptCount).map(valued));
        expect(kept.map(valued)).toEqual(expected.slice(-keptCount).map(valued));
        expect(answer.trainRows).toBe(used.length);
        expect(answer.sources.reduce((sum, { keptRows }) => sum + keptRows, 0)).toBe(keptCount);
        // What was not learned from begins where the answer says.
        const before = labels.findIndex(
          (_, at) => labels.slice(0, at + 1).filter((label) => label !== "").length > labelled.length - keptCount,
        );
        expect(answer.sources.map(({ keptFromRow }) => keptFromRow)).toEqual(
          before >= cut
            ? [labels.slice(0, cut).some((label) => label !== "") ? null : 0, before - cut]
            : [before, expect.any(Number)],
        );
      }),
      { numRuns: 60 },
    );
  });

  const rows = (count: number, changes: (at: number) => Partial<Record<string, string>> = () => ({})): Row[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ note: "", island: "Biscoe", bill_length_mm: `${40 + (at % 9)}.5`, bill_depth_mm: "18.1" },
      ...{ flipper_length_mm: "190", body_mass_g: "4000", sex: "male", species: LABELS[at % 3]! },
      ...(changes(at) as Record<string, string>),
    }));
  const labelsOf = (own: readonly Row[]) => stored(`species\n${own.map(({ species }) => species).join("\n")}\n`);
  const inputOf = (own: readonly Row[]) => stored(textOf(FEATURES, own, PLAIN));
  const TRAIN = stored(textOf(NAMES, rows(9), PLAIN));

  test("a file that came twice counts once, and rows that were learned before not at all", () => {
    const [first, second] = [rows(200), rows(120, (at) => ({ body_mass_g: String(3_000 + at) }))];
    const sources = [
      later(inputOf(first), labelsOf(first), { fromRow: 150 }),
      later(inputOf(second), labelsOf(second)),
      later(inputOf(second), labelsOf(second)),
    ];
    const { sources: told } = joinRows(requestOf(TRAIN, sources), neverStop);
    expect(told).toEqual([
      { learnedRows: 50, keptRows: 0, keptFromRow: null, sameAs: null },
      { learnedRows: 69, keptRows: 51, keptFromRow: 69, sameAs: null },
      { learnedRows: 0, keptRows: 0, keptFromRow: null, sameAs: 1 },
    ]);
  });

  test("cells that are no numbers are left empty, and no stray text turns a column into another kind", () => {
    const own = rows(120, (at) => (at % 7 === 0 ? { body_mass_g: "heavy" } : {}));
    const request = requestOf(TRAIN, [later(inputOf(own), labelsOf(own))]);
    joinRows(request, neverStop);
    const masses = [...recordsOf(request.joinedPath), ...recordsOf(request.keptPath)].map((one) => one["body_mass_g"]);
    expect([masses.includes("heavy"), masses.filter((text) => text === "").length]).toEqual([false, 18]);
  });

  test.each([
    ["TOO_FEW_LABELS", rows(99), {}, /^There are 99 labelled rows/],
    ["ONE_LABEL", rows(100, (at) => ({ species: at < 50 ? LABELS[at % 3]! : "Gentoo" })), {}, /^The newest labelled/],
    ["UNKNOWN_LABEL", rows(120, (at) => (at === 7 ? { species: "Dodo" } : {})), {}, /^Prediction may.csv: Row 8/],
    ["COLUMN_NOT_FOUND", rows(120), { keyColumns: ["note"] }, /^Prediction may.csv: The file has no column "note"/],
  ] as const)("are refused: %s", (code, own, changes, message) => {
    const request = requestOf(TRAIN, [later(inputOf(own), labelsOf(own))], changes);
    expect(() => joinRows(request, neverStop)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test("both models decide the kept rows as they decide any", () => {
    const own = rows(300, (at) => ({ bill_length_mm: `${34 + (at % 24)}.2`, body_mass_g: String(2_900 + 11 * at) }));
    const rowsPath = stored(textOf(NAMES, own, PLAIN));
    const paths = [MODEL, join(MODELS, "penguins-random-forest.cupel")] as const;
    const [championPath, challengerPath] = paths;
    const request = { rowsPath, label: "species", championPath, challengerPath, trained: null };
    const counted = compareModels({ ...request, countsDiffering: true }, neverStop);
    expect(counted.seenRows).toBeNull();
    const [ones, others] = paths.map((path) => {
      const model = unpackModel(readWhole(path));
      const { decisions } = new Scorer(model, NAMES).score(own.map((one) => NAMES.map((name) => one[name]!)));
      return [...decisions].map((decided) => model.labels[decided]!);
    });
    const right = (labels: readonly string[], at: number) => labels[at] === own[at]!["species"];
    const alone = (a: readonly string[], b: readonly string[]) =>
      own.filter((_, at) => right(a, at) && !right(b, at)).length;
    expect(counted.championAlone).toBe(alone(ones!, others!));
    expect(counted.challengerAlone).toBe(alone(others!, ones!));
    expect(counted.championAlone + counted.challengerAlone).toBeGreaterThan(0);
    const count = (labels: readonly string[]) =>
      LABELS.map((actual) =>
        LABELS.map((decided) => own.filter((one, at) => one["species"] === actual && labels[at] === decided).length),
      );
    expect([counted.labels, counted.champion, counted.challenger]).toEqual([LABELS, count(ones!), count(others!)]);
    const apart = own.flatMap((one, at) =>
      ones![at] === others![at] ? [] : [[one["species"]!, ones![at]!, others![at]!]],
    );
    const listed = counted.differing!.flatMap(([actual, one, other, times]) =>
      new Array(times).fill([actual, one, other].map((place) => LABELS[place]!)),
    );
    expect(listed.toSorted()).toEqual(apart.toSorted());
    expect(compareModels({ ...request, countsDiffering: false }, neverStop)).not.toHaveProperty("differing");
  });

  test("rows that the champion's dataset has too are counted, alike in its columns and the label", () => {
    const own = rows(60, (at) => ({ body_mass_g: String(2_900 + at), sex: at === 4 ? "" : "male" }));
    const championPath = join(MODELS, "penguins-random-forest.cupel");
    const rowsPath = stored(textOf(NAMES, [...own, own[0]!], PLAIN));
    const seenOf = (trained: readonly Row[]) => {
      const path = stored(textOf(NAMES, trained, { ...PLAIN, delimiter: ";", allQuoted: true }));
      const request = { rowsPath, label: "species", championPath, challengerPath: MODEL, countsDiffering: false };
      return compareModels({ ...request, trained: { path, hasHeader: true } }, neverStop).seenRows;
    };
    const others = rows(40, (at) => ({ body_mass_g: String(5_000 + at) }));
    expect(seenOf(others)).toBe(0);
    // The first row is kept twice; the note is no column of the model, and "NA" means no value.
    const known = [own[0]!, { ...own[3]!, note: "another" }, { ...own[4]!, sex: "NA" }];
    expect(seenOf([...others, ...known, ...known])).toBe(4);
    const relabelled = { ...own[5]!, species: own[5]!["species"] === "Gentoo" ? "Adelie" : "Gentoo" };
    expect(seenOf([...others, relabelled])).toBe(0);
  });
});
