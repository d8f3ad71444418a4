// Profiles and tables from cells as bytes against those from the same cells
// as strings: equal in every number they hold.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createCellEvidence, noteText } from "../../../engine/columns/cell-evidence.ts";
import { DATE_FORMS, type DateOrder, packDate } from "../../../engine/columns/dates.ts";
import { FITS_ALL, fittingBodies } from "../../../engine/columns/numbers.ts";
import type { ChunkTaker } from "../../../engine/csv/types.ts";
import { InputError } from "../../../engine/input-error.ts";
import { Random } from "../../../engine/random.ts";
import type { ColumnCaps } from "../../../engine/reading/caps.ts";
import { bodiesOf, noteNumbers } from "../../../engine/reading/number-shape.ts";
import type { Table } from "../../../engine/table/table.ts";
import { emptyDictionary, enterTexts } from "../../support/cells.ts";
import { chunkSizes, chunksOf, drawnCsv } from "../../support/drawn-csv.ts";
import { profileContent } from "../../support/profile-content.ts";
import { asCells, asStrings, firstPass, secondPass } from "../../support/two-passes.ts";

interface Options {
  caps?: ColumnCaps;
  missingMarkers?: string[];
}

interface Found {
  profile: ReturnType<typeof profileContent> | null;
  table: Table | null;
  refusal: string | null;
}

/** Both passes over a file; `byCells`: by cells where the reader can. */
function readBothPasses(bytes: Uint8Array, sizes: readonly number[], byCells: boolean, options: Options): Found {
  const found: Found = { profile: null, table: null, refusal: null };
  const hand = byCells ? asCells : asStrings;
  const openChunks = (taker: ChunkTaker) => chunksOf(bytes, sizes, taker);
  try {
    const profile = firstPass(openChunks, hand, options);
    found.profile = profileContent(profile);
    found.table = secondPass(openChunks, hand, profile);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    found.refusal = `${error.code} ${error.line} ${error.message}`;
  }
  return found;
}

const SMALL: ColumnCaps = { texts: 6, firstTexts: 4, bytes: 60, distinctSlots: 16, sampleCells: 10 };

describe("both passes", () => {
  test("find the same by bytes as by strings, with room for all texts or for few", () => {
    const options = fc.constantFrom<Options>({}, { caps: SMALL }, { caps: SMALL, missingMarkers: ["-1", "red", "0"] });
    let tableCount = 0;
    fc.assert(
      fc.property(drawnCsv, chunkSizes, options, ({ bytes }, sizes, given) => {
        const byCells = readBothPasses(bytes, sizes, true, given);
        expect(byCells).toEqual(readBothPasses(bytes, [bytes.length], false, given));
        if (byCells.table !== null) tableCount++;
      }),
      { numRuns: 400 },
    );
    expect(tableCount).toBeGreaterThan(20);
  });

  test("find the same in columns of one kind of number each, far more of them than are listed", () => {
    const forms: ((value: number) => string)[] = [
      (value) => value.toFixed(6),
      (value) => String(Math.round(value * 1e6)),
      (value) => value.toFixed(3),
      (value) => (value < -1 ? "NA" : `${Math.round(50 * value)}`),
      (value) => String(value),
      (value) => `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(2)}`,
      (value) => (1e12 * Math.abs(value)).toFixed(1),
      (value) => `"${value.toFixed(4)}"`,
      (value) => String(Math.round(1e5 * Math.abs(value))).padStart(6, "0"),
    ];
    const draw = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 150, maxLength: 300, size: "max" });
    fc.assert(
      fc.property(draw, fc.constantFrom<Options>({}, { caps: SMALL }), (values, given) => {
        const header = `sep=,\n${forms.map((_, at) => `c${at}`).join(",")},label\n`;
        const lines = values.map((value, at) => `${forms.map((form) => form(value)).join(",")},${"ab"[at % 2]}\n`);
        const bytes = new TextEncoder().encode(header + lines.join(""));
        const byCells = readBothPasses(bytes, [1000], true, given);
        expect(byCells.refusal).toBeNull();
        expect(byCells).toEqual(readBothPasses(bytes, [bytes.length], false, given));
      }),
      { numRuns: 40 },
    );
  });

  test.each<[string, Options]>([
    ["room for all texts", {}],
    ["room for few", { caps: { texts: 500, firstTexts: 60, bytes: 4000, distinctSlots: 64, sampleCells: 100 } }],
    ["numbers for missing", { caps: { ...SMALL, texts: 100, bytes: 1000 }, missingMarkers: ["7", "-999"] }],
  ])("find the same in many records, with %s", (_, options) => {
    const random = new Random(3);
    const words = ["red", "Grün", "blue", "", " ", "n/a", '"a, b"', "1e5", "007", "日本", "-", "0.50"];
    const word = () => words[random.nextBelow(words.length)]!;
    const lines = Array.from({ length: 12_000 }, (_, row) =>
      [
        random.nextBelow(50),
        row,
        (random.nextFloat() * 20).toFixed(random.nextBelow(9)),
        random.nextFloat() - 0.5,
        word(),
        row % 3 === 0 ? word() : `x${random.nextBelow(3000)}${word().replace(/"/g, "").replace(",", "")}`,
        row < 9000 ? random.nextBelow(3) : `é${row}`,
        "ab"[random.nextBelow(2)],
      ].join(","),
    );
    const bytes = new TextEncoder().encode(`sep=,\na,b,c,d,e,f,g,label\n${lines.join("\n")}\n`);
    const expected = readBothPasses(bytes, [bytes.length], false, options);
    expect(expected.refusal).toBe(null);
    expect(readBothPasses(bytes, [60, 100_000], true, options)).toEqual(expected);
    expect(readBothPasses(bytes, [bytes.length], true, options)).toEqual(expected);
  });

  test("find the same in every fixture", () => {
    const folder = join(import.meta.dir, "../../fixtures/tables");
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".csv"))) {
      const file = readFileSync(join(folder, name));
      const body = file.subarray(file.indexOf(10) + 1);
      const times = Math.ceil(150_000 / file.length);
      const bytes = new Uint8Array(Buffer.concat([file, ...Array.from({ length: times }, () => body)]));
      expect(readBothPasses(bytes, [50_000], true, {})).toEqual(readBothPasses(bytes, [bytes.length], false, {}));
    }
  });
});

describe("plain numbers", () => {
  test("are the same evidence by shape as by text", () => {
    const decimal = fc.stringMatching(/^[+-]?\d{0,5}(\.\d{0,5})?$/);
    const long = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.stringMatching(/^[+-]?\d{1,18}\.\d{0,9}$/),
      fc.stringMatching(/^\d(\.\d{1,3})?[eE][+-]\d{1,2}$/),
    );
    const other = fc.constantFrom("1,5", "$3", "x", "1.234", "12", "1990", "5%", "abc123", "1.234.567");
    let numberCount = 0;
    const cells = fc.array(fc.oneof({ weight: 5, arbitrary: decimal }, { weight: 2, arbitrary: long }, other));
    fc.assert(
      fc.property(cells, (texts) => {
        const byShape = createCellEvidence();
        const byText = createCellEvidence();
        const dictionary = emptyDictionary(1000);
        enterTexts(dictionary, texts);
        dictionary.allTexts().forEach((text, id) => {
          const shape = dictionary.shapeOf(id);
          const value = dictionary.valueOf(id);
          const line = dictionary.firstLineOf(id);
          noteText(byText, text, 2, line);
          if (shape === 0) noteText(byShape, text, 2, line);
          else {
            const numbers = { lowest: value, highest: value, shapes: [shape], dateOrders: ordersOf(text) };
            noteNumbers(byShape, { count: 2, chars: 2 * text.length, line, ...numbers });
            for (const { order } of DATE_FORMS) byShape.dates[order].values = byText.dates[order].values;
            expect(bodiesOf(shape)).toBe(fittingBodies(text, FITS_ALL));
            numberCount++;
          }
        });
        expect(byShape).toEqual(byText);
      }),
      { numRuns: 500 },
    );
    expect(numberCount).toBeGreaterThan(1000);
  });
});

function ordersOf(text: string): DateOrder[] {
  return DATE_FORMS.flatMap((form) => (packDate(text, form) < 0 ? [] : [form.order]));
}
