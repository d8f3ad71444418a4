// Dealing groups of rows, whole, to parts of about equal size and about the same share of every class.
import { Random, shuffled } from "../random.ts";
import type { LabelledRows } from "../table/table.ts";
import { NO_GROUP, NO_PART } from "./row-keys.ts";

/** A group's rows: positions among those dealt, and how many there are of each class. */
interface Group {
  positions: number[];
  classCounts: Map<number, number>;
}

/**
 * The part, from 0, of each of `rows`; `NO_PART` without a group. Groups go to parts from the largest to the smallest,
 * equal ones in an order drawn by `seed`, each where the squared distance from an even share of its classes grows least
 * (the greedy rule of scikit-learn's StratifiedGroupKFold with a cheaper distance). A group that alone has some class
 * lies in the last part. O(rows + groups × parts).
 */
export function dealGroups(labelled: LabelledRows, groups: Uint32Array, partCount: number, seed: number): Uint8Array {
  const { rows, classCount } = labelled;
  const groupsByNumber = gather(labelled, groups);
  const classTotals = new Float64Array(classCount);
  const groupsOfClass = new Uint32Array(classCount);
  for (const { classCounts } of groupsByNumber.values()) {
    for (const [code, count] of classCounts) {
      classTotals[code]! += count;
      groupsOfClass[code]!++;
    }
  }
  const parts = new Uint8Array(rows.length).fill(NO_PART);
  const classCountsOfParts = Array.from({ length: partCount }, () => new Float64Array(classCount));
  for (const { positions, classCounts } of inDrawnOrder([...groupsByNumber.values()], seed)) {
    const isAlone = [...classCounts.keys()].some((code) => groupsOfClass[code] === 1);
    const part = isAlone ? partCount - 1 : cheapestPart(classCountsOfParts, classCounts, classTotals);
    for (const [code, count] of classCounts) classCountsOfParts[part]![code]! += count;
    for (const position of positions) parts[position] = part;
  }
  return parts;
}

function gather({ rows, classes }: LabelledRows, groups: Uint32Array): Map<number, Group> {
  const groupsByNumber = new Map<number, Group>();
  rows.forEach((row, position) => {
    const number = groups[row]!;
    if (number === NO_GROUP) return;
    let group = groupsByNumber.get(number);
    if (group === undefined) {
      group = { positions: [], classCounts: new Map() };
      groupsByNumber.set(number, group);
    }
    group.positions.push(position);
    const code = classes[row]!;
    group.classCounts.set(code, (group.classCounts.get(code) ?? 0) + 1);
  });
  return groupsByNumber;
}

function inDrawnOrder(groups: readonly Group[], seed: number): Group[] {
  return Array.from(shuffled(groups.keys(), new Random(seed)), (index) => groups[index]!).sort(
    (a, b) => b.positions.length - a.positions.length,
  );
}

/** The part in which Σ (count − share)² / total grows least; the first of equals. */
function cheapestPart(
  classCountsOfParts: readonly Float64Array[],
  classCounts: ReadonlyMap<number, number>,
  classTotals: Float64Array,
): number {
  let cheapest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [part, counts] of classCountsOfParts.entries()) {
    let cost = 0;
    for (const [code, count] of classCounts) cost += (count * (2 * counts[code]! + count)) / classTotals[code]!;
    if (cost < least) {
      least = cost;
      cheapest = part;
    }
  }
  return cheapest;
}
