// Mutual information beyond chance: of columns and the class, of columns within the classes, of pairs and the class.
import { mapped } from "../mapped.ts";
import { deriveSeed } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { gatherClasses } from "./class-counts.ts";
import { type CoarseColumns, gatherGroups } from "./coarse-columns.ts";
import type { FitInput } from "./family.ts";
import { sampleRows } from "./row-sample.ts";

/** In nats; 0 where it is no more than chance would give. */
export interface PairInformation {
  columnCount: number;
  /** I(Xi; Y). */
  single: Float64Array;
  /** I(Xi; Xj | Y), at `i * columnCount + j` and at `j * columnCount + i`. */
  conditional: Float64Array;
  /** I(Xi, Xj; Y) - I(Xi; Y) - I(Xj; Y), laid out alike; also 0 if the two columns are redundant. */
  synergy: Float64Array;
}

/** Columns that may be paired, the most informative ones: pairs cost their square. */
export const MOST_PAIRED = 150;
/** Rows counted at most: more would hardly improve the estimates. */
const MAX_ROWS = 50_000;
const MIN_ROWS = 2_000;
/** Rows × pairs at most: about a second. With more pairs, fewer rows are counted. */
const MAX_ROW_PAIRS = 400_000_000;
/**
 * Standard deviations of chance that information must exceed. Without it noise columns become parents of all others: on
 * madelon (480 of 500 columns are noise) it is worth ten points to the k-dependence ensemble.
 */
const CHANCE_DEVIATIONS = 4;

/** The counted rows: their classes, and their groups column after column. */
interface CountedRows {
  rowCount: number;
  classCount: number;
  classes: Uint8Array;
  groups: readonly Uint8Array[];
  groupCounts: Uint16Array;
  /** c ln c of every count c up to the number of rows. */
  weights: Float64Array;
}

/** Corrected entropies of some columns, without the class and with it, and the number of cells that occur. */
interface Entropies {
  plain: number;
  withClass: number;
  plainCells: number;
  classCells: number;
}

/**
 * Counts each pair with the class once, over a stratified sample of the fit rows. Every entropy is raised by (cells
 * that occur - 1) / 2n (Miller 1955, Madow), so that pairs of many groups do not look informative by chance alone.
 * Pairs left when time is up have 0. O(columns² × (rows + groups² × classes)).
 */
export function pairInformation(input: FitInput, columns: CoarseColumns): PairInformation {
  const rows = countRows(input, columns);
  const { classCount, groupCounts, rowCount } = rows;
  const columnCount = columns.features.length;
  const information: PairInformation = {
    columnCount,
    single: new Float64Array(columnCount),
    conditional: new Float64Array(columnCount ** 2),
    synergy: new Float64Array(columnCount ** 2),
  };
  const mostGroups = groupCounts.reduce((most, count) => Math.max(most, count), 1);
  const cells = new Int32Array(mostGroups ** 2 * classCount);
  const bases = new Uint16Array(rowCount);
  // A column of one group turns the counts of pairs into those of one column, or of the class alone.
  const constant = new Uint8Array(rowCount);
  writeBases(rows, constant, bases);
  const ofClass = entropies(rows, cells, constant, 1, bases, 1);
  const alone = rows.groups.map((groups, column) => entropies(rows, cells, groups, groupCounts[column]!, bases, 1));
  for (const [i, first] of alone.entries()) {
    const freedom = (first.plainCells - 1) * (ofClass.classCells - 1);
    information.single[i] = beyondChance(first.plain + ofClass.withClass - first.withClass, freedom, rowCount);
    writeBases(rows, rows.groups[i]!, bases);
    for (let j = 0; j < i; j++) {
      throwIfCancelled(input.stop);
      if (input.stop.timeIsUp()) break;
      const ofPair = entropies(rows, cells, rows.groups[j]!, groupCounts[j]!, bases, groupCounts[i]!);
      writePair(information, i, j, informationOf(first, alone[j]!, ofPair, ofClass, rowCount));
    }
  }
  return information;
}

/** The columns with information beyond chance, about the class or about another column, ascending. */
export function informativeColumns({ columnCount, single, conditional }: PairInformation): number[] {
  return [...single.keys()].filter(
    (column) =>
      single[column]! > 0 ||
      conditional.subarray(column * columnCount, (column + 1) * columnCount).some((value) => value > 0),
  );
}

function countRows(input: FitInput, columns: CoarseColumns): CountedRows {
  const pairCount = Math.max(1, columns.features.length ** 2 / 2);
  const limit = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(MAX_ROW_PAIRS / pairCount)));
  const rows = sampleRows(input, limit, deriveSeed(input.seed, 3));
  return {
    rowCount: rows.length,
    classCount: input.classCount,
    classes: gatherClasses(input.classes, rows),
    groups: gatherGroups(columns, input.view, rows),
    groupCounts: columns.groupCounts,
    weights: mapped(Float64Array, { length: rows.length + 1 }, (_, count) => (count > 1 ? count * Math.log(count) : 0)),
  };
}

/** The cell of each row's group and class in a table of one column. */
function writeBases({ classes, classCount }: CountedRows, groups: Uint8Array, bases: Uint16Array): void {
  for (let i = 0; i < bases.length; i++) bases[i] = groups[i]! * classCount + classes[i]!;
}

/** Entropies of a column together with the column that the bases stand for. */
function entropies(
  rows: CountedRows,
  cells: Int32Array,
  groups: Uint8Array,
  groupCount: number,
  bases: Uint16Array,
  baseGroupCount: number,
): Entropies {
  const { rowCount, classCount, weights } = rows;
  const stride = baseGroupCount * classCount;
  const used = groupCount * stride;
  cells.fill(0, 0, used);
  for (let i = 0; i < rowCount; i++) {
    const cell = groups[i]! * stride + bases[i]!;
    cells[cell] = cells[cell]! + 1;
  }
  let plain = 0;
  let withClass = 0;
  let plainCells = 0;
  let classCells = 0;
  for (let cell = 0; cell < used; ) {
    let sum = 0;
    for (let k = 0; k < classCount; k++, cell++) {
      const count = cells[cell]!;
      if (count === 0) continue;
      sum += count;
      withClass += weights[count]!;
      classCells++;
    }
    if (sum === 0) continue;
    plain += weights[sum]!;
    plainCells++;
  }
  const corrected = (sum: number, present: number) => Math.log(rowCount) + ((present - 1) / 2 - sum) / rowCount;
  return { plain: corrected(plain, plainCells), withClass: corrected(withClass, classCells), plainCells, classCells };
}

function informationOf(first: Entropies, second: Entropies, ofPair: Entropies, ofClass: Entropies, rowCount: number) {
  const conditional = first.withClass + second.withClass - ofPair.withClass - ofClass.withClass;
  const shared = first.plain + second.plain - ofPair.plain;
  const freedom = ofPair.classCells - first.classCells - second.classCells + ofClass.classCells;
  const sharedFreedom = ofPair.plainCells - first.plainCells - second.plainCells + 1;
  return {
    conditional: beyondChance(conditional, freedom, rowCount),
    // I(Xi, Xj; Y) - I(Xi; Y) - I(Xj; Y) = I(Xi; Xj | Y) - I(Xi; Xj).
    synergy: beyondChance(conditional - shared, Math.max(0, freedom) + Math.max(0, sharedFreedom), rowCount),
  };
}

function writePair(
  information: PairInformation,
  i: number,
  j: number,
  { conditional, synergy }: { conditional: number; synergy: number },
): void {
  const { columnCount } = information;
  for (const at of [i * columnCount + j, j * columnCount + i]) {
    information.conditional[at] = conditional;
    information.synergy[at] = synergy;
  }
}

/**
 * 2n × the information of independent columns is about χ² with `freedom` degrees of freedom, so its deviation is
 * √(freedom / 2) / n.
 */
function beyondChance(value: number, freedom: number, rowCount: number): number {
  return value > (CHANCE_DEVIATIONS * Math.sqrt(Math.max(1, freedom) / 2)) / rowCount ? value : 0;
}
