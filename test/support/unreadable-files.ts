// Files whose numbers or dates are not written as a model reads them, and how every reader's program refuses them.
import { join } from "node:path";
import { DAY_FIRST, MONTH_FIRST, rewriteDate, YEAR_FIRST } from "../../engine/columns/dates.ts";
import { europeanTable } from "./vector-tables.ts";
import { VECTORS } from "./vectors.ts";

interface CheckedFile {
  name: string;
  modelPath: string;
  csv: string;
  /** Null where the file is scored. */
  refusal: string | null;
}

const PENGUINS = join(import.meta.dir, "../fixtures/models/penguins-random-forest.cupel");
const EUROPEAN = join(VECTORS, "forest-two-classes.cupel");
const COLUMNS = "island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex";
const ADVICE = "Write them so, or correct the names of the columns; where there is no value, leave the cell empty.\n";

const many = (cells: readonly string[], count: number) => Array.from({ length: count }, () => cells).flat();

/** Penguins with these lengths of bills. */
function penguins(lengths: readonly string[], others = "17.5,190,3700"): string {
  const rows = lengths.map((length) => `Biscoe,${length},${others},male\n`);
  return `${COLUMNS}\n${rows.join("")}`;
}

function lengths(count: string, line: number, also = ""): string {
  return `${count} values in column "bill_length_mm" cannot be read as numbers such as 1234.5, the first in line ${line}.${also} ${ADVICE}`;
}

/** The table that the model was trained on, with the dates of its fourth column changed. */
function european(change: (day: string) => string): string {
  const [header, ...rows] = europeanTable().csv.trimEnd().split("\n");
  const changed = rows.map((row) => {
    const cells = row.split(";");
    return cells.with(3, change(cells[3]!)).join(";");
  });
  return [header, ...changed, ""].join("\n");
}

const birthdays = (count: string, line: number) =>
  `${count} values in column "Geboren" cannot be read as dates with the day first, such as 31.12.2024 or 31/12/2024, the first in line ${line}. ${ADVICE}`;
const DAYS = europeanTable()
  .csv.trimEnd()
  .split("\n")
  .slice(1)
  .map((row) => row.split(";")[3]!);
const isLate = (day: string) => Number(day.slice(0, 2)) > 12;

const PENGUIN_FILES: readonly [string, string, string | null][] = [
  ["words", penguins(many(["sensor error"], 12)), lengths("12 of the 12", 2)],
  ["units", penguins(["", "NA", ...many(["17.5 °C"], 10)]), lengths("10 of the 10", 4)],
  [
    "words in several columns",
    penguins(many(["error"], 10), "error,error,3700"),
    lengths("10 of the 10", 2, ' So it is with "bill_depth_mm", "flipper_length_mm".'),
  ],
  ["one number in twenty", penguins(["40", ...many(["error"], 19)]), lengths("19 of the 20", 3)],
  ["a few numbers among words", penguins(["40", ...many(["error"], 18)]), null],
  ["few words", penguins(many(["error"], 9)), null],
  ["decimal commas", penguins(many(["40", '"39,1"', '"2.583,08"'], 5)), lengths("10 of the 15", 3)],
  ["one decimal comma", penguins(['"39,1"']), lengths("1 of the 1", 2)],
  ["decimal commas in a few cells", penguins(many(["40", "41.5", '"39,1"'], 5)), null],
];
const EUROPEAN_FILES: readonly [string, string, string | null][] = [
  ["ISO dates", european((day) => rewriteDate(day, DAY_FIRST, YEAR_FIRST)!), birthdays("360 of the 360", 2)],
  [
    "dates with the month first",
    european((day) => rewriteDate(day, DAY_FIRST, MONTH_FIRST)!),
    birthdays(`${DAYS.filter(isLate).length} of the 360`, 2 + DAYS.findIndex(isLate)),
  ],
  ["dates as in training", european((day) => day), null],
];

export const CHECKED_FILES: readonly CheckedFile[] = [
  ...PENGUIN_FILES.map(([name, csv, refusal]) => ({ name, modelPath: PENGUINS, csv, refusal })),
  ...EUROPEAN_FILES.map(([name, csv, refusal]) => ({ name, modelPath: EUROPEAN, csv, refusal })),
];
