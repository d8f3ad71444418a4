// Columns that were counted, set or measured after the outcome, or by another source for one label, on drawn tables of
// known truth.
import { describe, expect, test } from "bun:test";
import { findOutcomeColumns } from "../../../engine/leaks/outcome-columns.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { FIRST_LEVEL } from "../../../engine/table/table.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { readCsvText } from "../../support/csv-table.ts";

const ROWS = 1_500;
const STATIONS = ["ST1", "ST2", "ST3", "ST4", "ST5", "ST6"];

interface Drawn {
  causes: readonly number[];
  random: Random;
  isYes: boolean;
  /** The label follows this: the causes, and chance. */
  severity: number;
}

/** Four causes of the label, a fifth column that says nothing, and further cells. */
function tableWith(
  cells: (row: Drawn) => readonly (string | number)[],
  { seed = 1, rowCount = ROWS, cutOff = 0 } = {},
) {
  const random = new Random(seed);
  const rows = Array.from({ length: rowCount }, () => {
    const causes = Array.from({ length: 5 }, () => drawNormal(random));
    const chance = Math.log(1 / (1 - random.nextFloat()) - 1 + 1e-9);
    const severity = 1.1 * causes[0]! - 0.8 * causes[1]! + 0.6 * causes[2]! + 0.4 * causes[3]! - 0.3 - chance;
    const isYes = severity > cutOff;
    return [
      ...causes.map((cause) => cause.toFixed(2)),
      ...cells({ random, causes, isYes, severity }),
      isYes ? "yes" : "no",
    ];
  });
  const names = rows[0]!.map((_, at) => (at === rows[0]!.length - 1 ? "label" : `c${at}`));
  return tableFrom([names, ...rows].map((cellsOfRow) => cellsOfRow.join(",")).join("\n"));
}

const tableFrom = (csv: string) => readCsvText(csv).table;

/** Knuth 1969. */
function drawCount(random: Random, mean: number): number {
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); product *= random.nextFloat()) count++;
  return count;
}

const suspectIn = (table: ReturnType<typeof tableFrom>) => findOutcomeColumns(table, [], 1, neverStop);

describe("columns that have nothing to do with the others among rows of one label", () => {
  test.each<[string, Parameters<typeof tableWith>[0], number[]]>([
    ["a count of calls", ({ random, isYes }) => [drawCount(random, isYes ? 4 : 1.5)], [5]],
    [
      "the station where rejects are tested",
      ({ random, isYes }) => [STATIONS[random.nextBelow(4) + (random.nextFloat() < (isYes ? 0.7 : 0.1) ? 2 : 0)]!],
      [5],
    ],
    [
      "two counts that were made after it",
      ({ random, isYes }) => [drawCount(random, isYes ? 4 : 1.5), drawCount(random, isYes ? 9 : 5)],
      [5, 6],
    ],
    [
      "what two laboratories measure differently",
      ({ random, isYes }) => {
        const isOther = random.nextFloat() < (isYes ? 0.85 : 0.15);
        const offsets = isOther ? [1.2, -1, 1] : [0, 0, 0];
        return offsets.map((offset) => (20 + drawNormal(random) + offset).toFixed(1));
      },
      [5, 6, 7],
    ],
    [
      "how long after its first day a record was changed last",
      ({ random, isYes }) => {
        const created = Date.UTC(2024, 0, 1) + 86_400_000 * random.nextBelow(300);
        const days = 1 + random.nextBelow(3) + (isYes && random.nextFloat() < 0.7 ? 5 + random.nextBelow(40) : 0);
        return [created, created + 86_400_000 * days].map((time) => new Date(time).toISOString().slice(0, 10));
      },
      [5, 6],
    ],
  ])("are asked about: %s", (_, cells, columns) => {
    const suspect = suspectIn(tableWith(cells));
    expect(suspect).toMatchObject({ columns, by: "outcome", gain: { measure: "accuracy" } });
    expect(suspect!.gain!.withIt - suspect!.gain!.without).toBeGreaterThan(0.03);
  });

  test("are asked about by the balanced accuracy where the label is rare", () => {
    // Causes of a rare label hardly oppose each other, so others of them must go together.
    const cells = ({ random, causes: [first], isYes }: Drawn) => [
      (first! + drawNormal(random)).toFixed(2),
      drawCount(random, isYes ? 5 : 1.5),
    ];
    const rare = suspectIn(tableWith(cells, { rowCount: 4_000, cutOff: 3.3 }));
    expect(rare).toMatchObject({ columns: [6], gain: { measure: "balanced-accuracy" } });
  });

  test("are asked about beside a label that another column tells wholly", () => {
    const drawn = tableWith(({ random, isYes }) => [drawCount(random, isYes ? 4 : 1.5), random.nextBelow(5)]);
    const code = drawn.labels.length;
    const last = drawn.levels[6]!;
    const classes = drawn.classes.map((own, row) => (last[row] === FIRST_LEVEL ? code : own));
    const found = suspectIn({ ...drawn, labels: [...drawn.labels, "other"], classes });
    expect(found).toMatchObject({ columns: [5], by: "outcome" });
  });

  test("are left out where they are suspected otherwise", () => {
    const table = tableWith(({ random, isYes }) => [drawCount(random, isYes ? 4 : 1.5)]);
    expect(findOutcomeColumns(table, [{ columns: [5], by: "mark", strength: 1 }], 1, neverStop)).toBeNull();
  });
});

describe("honest columns are quiet", () => {
  test("a cause, however strong", () => {
    const random = new Random(3);
    const rows = Array.from({ length: ROWS }, () => {
      const causes = Array.from({ length: 5 }, () => drawNormal(random));
      const isYes = 2.5 * causes[0]! + 0.8 * causes[1]! - 0.6 * causes[2]! + drawNormal(random) > 0;
      return [...causes.map((cause) => cause.toFixed(2)), isYes].join(",");
    });
    expect(suspectIn(tableFrom(["a,b,c,d,e,label", ...rows].join("\n")))).toBeNull();
  });

  test.each([1, 2, 3, 4])("symptoms of how severe it is (draw %p)", (seed) => {
    const cells = ({ random, severity }: Drawn) =>
      [1, 0.7].map((of) => (of * severity + drawNormal(random)).toFixed(2));
    expect(suspectIn(tableWith(cells, { seed }))).toBeNull();
  });

  test.each([1, 2, 3, 4])("independent symptoms alone (draw %p)", (seed) => {
    const random = new Random(seed);
    const rows = Array.from({ length: ROWS }, () => {
      const isYes = random.nextBelow(2) === 1;
      const cells = [1.2, 0.9, 0.7, 0.5, 0].map((of) => (drawNormal(random) + (isYes ? of : 0)).toFixed(2));
      return [...cells, isYes].join(",");
    });
    expect(suspectIn(tableFrom(["a,b,c,d,e,label", ...rows].join("\n")))).toBeNull();
  });

  test("a symptom of several labels that tells one of them wholly", () => {
    const random = new Random(6);
    const rows = Array.from({ length: ROWS }, () => {
      const label = random.nextBelow(4);
      const severity = drawNormal(random);
      const like = (mean: number) => (mean + severity + drawNormal(random)).toFixed(1);
      const first = label === 0 ? "-20" : like(2 * label);
      return [first, like(label), like(label), like(label), `L${label}`].join(",");
    });
    expect(suspectIn(tableFrom(["a,b,c,d,label", ...rows].join("\n")))).toBeNull();
  });

  test("one column alone", () => {
    const random = new Random(4);
    const rows = Array.from({ length: ROWS }, () => {
      const x = drawNormal(random);
      return `${x.toFixed(2)},${x + drawNormal(random) > 0}`;
    });
    expect(suspectIn(tableFrom(["x,label", ...rows].join("\n")))).toBeNull();
  });
});

test("can be cancelled", () => {
  const table = tableWith(({ random, isYes }) => [drawCount(random, isYes ? 4 : 1.5)]);
  expect(() => findOutcomeColumns(table, [], 1, { cancelled: () => true, timeIsUp: () => false })).toThrow(Cancelled);
});
