// The numbers inside the texts of a column are features of it, and characters of texts of one length.
import { describe, expect, test } from "bun:test";
import { ShapeWriter } from "../../../engine/filling/shape-writer.ts";
import { Random } from "../../../engine/random.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";
import { isNumberPart, isPlacePart } from "../../../engine/table/text-shape.ts";
import { readCsvText } from "../../support/csv-table.ts";

/** The table of rows that are written as lines; labels take turns. */
function tableOf(names: string, rowCount: number, lineOf: (row: number) => string) {
  const rows = Array.from({ length: rowCount }, (_, row) => `${lineOf(row)},${row % 2}`);
  return readCsvText(`${names},label\n${rows.join("\n")}\n`);
}

const numberPartsOf = (lineOf: (row: number) => string) =>
  tableOf("code", 200, lineOf).table.features.flatMap(({ part, name }) => (/^number\d/.test(`${part}`) ? [name] : []));

/** Codes with one number in every row, and with a second in the first `pairs` of them. */
const partsOf = (pairs: number) =>
  numberPartsOf((at) => `A${(at * 7_919) % 100_003}${at < pairs ? `/${(at * 7) % 90}` : "/x"}`);

test("as far as half of the texts have them", () => {
  expect(partsOf(100)).toEqual(["code.number1", "code.number2"]);
  expect(partsOf(99)).toEqual(["code.number1"]);
});

test("but for running numbers, which say the place of a row", () => {
  const partsBy = (numberOf: (at: number) => number) => numberPartsOf((at) => `INV-${numberOf(at)}-${(at * 7) % 90}x`);
  for (const running of [(at: number) => 1000 + ((at * 77) % 200), (at: number) => 20_000 + 7 * at])
    expect(partsBy(running)).toEqual(["code.number2"]);
  expect(partsBy((at) => (at * 7_919) % 100_003)).toEqual(["code.number1", "code.number2"]);
});

describe("the last, least, largest and mean number", () => {
  const listPartsOf = (list: (row: number) => number[]) => {
    const { table } = tableOf("list", 200, (row) => `"${list(row).join(",")}"`);
    return table.features.flatMap(({ part }) => (/^number\D/.test(`${part}`) ? [part] : []));
  };
  const random = new Random(9);
  const listOf = (length: number) => Array.from({ length }, () => random.nextBelow(97));

  test("are features of lists of several lengths", () => {
    const all: ReturnType<typeof listPartsOf> = ["numberLast", "numberLeast", "numberLargest", "numberMean"];
    expect(listPartsOf((row) => listOf(2 + (row % 5)))).toEqual(all);
    expect(listPartsOf((row) => listOf(40 + (row % 5)))).toEqual(all);
    expect(listPartsOf((row) => listOf(row % 20 === 0 ? 4 : 5))).toEqual([]);
  });

  test("are none where one of the numbers runs with the rows", () => {
    expect(listPartsOf((row) => [1_000 + row, ...listOf(2 + (row % 5))])).toEqual([]);
  });
});

test("of lists of numbers too, though they have many words", () => {
  const listsOf = (length: number, around: string) =>
    numberPartsOf((row) => {
      const list = Array.from({ length }, (_, at) => (((row * 31 + at * 17) % 97) / 10).toFixed(1));
      return `${around}[${list.join(";")}]`;
    }).length;
  expect(listsOf(6, "")).toBe(6);
  expect(listsOf(24, "one two three four five six seven eight ")).toBe(24);
  expect(listsOf(24, "one two three four five six seven eight nine ")).toBe(0);
});

describe("characters", () => {
  const random = new Random(5);
  const anyOf = (letters: string, length: number) =>
    Array.from({ length }, () => letters[random.nextBelow(letters.length)]!).join("");
  const charactersOf = (text: (row: number) => string, rowCount = 320) => {
    const { table } = tableOf("code,x", rowCount, (row) => `${text(row)},${row % 7}`);
    return table.features.flatMap(({ part, name }) => (isPlacePart(part) && !isNumberPart(part) ? [name] : []));
  };
  const code = () => `${anyOf("ABC", 2)}-${anyOf("0123456789", 4)}`;

  test("are features where nearly all texts have one length, as far as they vary", () => {
    const varying = [1, 2, 4, 5, 6, 7].map((place) => `code.character${place}`);
    expect(charactersOf(code)).toEqual(varying);
    expect(charactersOf((row) => (row % 25 === 0 ? `${code()}-9` : code()))).toEqual(varying);
    expect(charactersOf((row) => (row === 25 ? `${code()}-9` : code()))).toEqual(varying);
  });

  test("are the first and the last four of codes of several lengths, and none of titles", () => {
    const ends = ["character1", "character2", "character4", "ending1", "ending2", "ending3", "ending4"];
    const someLonger = (row: number) => (row % 15 === 0 ? `${code()}-9` : code());
    expect(charactersOf(someLonger)).toEqual(ends.map((part) => `code.${part}`));
    expect(charactersOf(someLonger, 319)).toEqual([]);
    expect(charactersOf((row) => `${anyOf("ABCDE", 2 + (row % 3))} ${anyOf("ABCDE", 4)} ${anyOf("AB", 5)}`)).toEqual(
      [],
    );
  });

  test("are none of running numbers, which say the place of a row", () => {
    expect(charactersOf((row) => `INV-${1000 + row}-${anyOf("XYZ", 2)}`)).toEqual([]);
  });

  test("are none of sentences that happen to have one length", () => {
    const sentence = (length: number) => Array.from({ length }, () => anyOf("abc", 4)).join(" ");
    expect(charactersOf(() => sentence(7))).toEqual([]);
    expect(charactersOf(() => sentence(6))).toHaveLength(24);
  });

  test("are bounded over all rows and columns", () => {
    const profile = { medianCharacters: 60, medianWords: 1, termCount: 1 };
    const writer = new ShapeWriter({ profile, hasOneLength: true }, 100_000, 10);
    for (let row = 0; row < 100; row++) writer.add(anyOf("ACGT", 60), 1, row);
    const made = writer.features({ name: "code", column: 0 }, rowsUpTo(100));
    expect(made.map(({ feature }) => feature.name)).toEqual(
      Array.from({ length: 16 }, (_, at) => `code.character${at + 1}`),
    );
  });

  test("have no bars, which would count numbers that nobody knows", () => {
    const { columns, table } = tableOf("code,x", 300, (row) => `${anyOf("ACGT", 30)},${row % 7}`);
    expect(table.features[0]).toMatchObject({ name: "code.character1" });
    expect(columns[0]!.distribution).toEqual({ bars: [], counts: [] });
  });

  test("are 64 of sequences, which have no digits, and none of initials in few rows", () => {
    expect(charactersOf(() => anyOf("ACGT", 60))).toHaveLength(60);
    expect(charactersOf(() => anyOf("ACGT", 90))).toHaveLength(64);
    expect(charactersOf(() => anyOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 4), 319)).toEqual([]);
  });
});
