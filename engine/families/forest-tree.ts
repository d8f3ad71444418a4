// Growing one tree: the loop over its nodes, the choice of features, the division of rows, and the leaves.
import type { Random } from "../random.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { type ForestSettings, MISSING_RIGHT } from "./forest.ts";
import { searchManyClassCut } from "./forest-many-classes.ts";
import { markOf } from "./forest-marks.ts";
import { type NodeStore, reserveNodes, type Trees } from "./forest-nodes.ts";
import { searchRandomCut } from "./forest-random-cut.ts";
import type { TrainingMatrix } from "./forest-rows.ts";
import { giniDecrease, newSplitSearch, type SplitSearch, startNode } from "./forest-search.ts";
import { searchTwoClassCut } from "./forest-two-classes.ts";

/** The smaller child is grown first, so that open nodes never outnumber the halvings of 2^32 rows. */
const MAX_OPEN_NODES = 34;
/** Numbers that the stack holds for each open node: node, range of drawn rows, range of other rows, depth. */
const FRAME_SIZE = 6;
/** Codes read between two looks at the stop signal: one or two milliseconds of work. */
const CODES_BETWEEN_LOOKS = 1 << 18;

/** What all trees of one forest share while they are grown. */
export interface TreeGrowth {
  matrix: TrainingMatrix;
  settings: ForestSettings;
  stop: StopSignal;
  search: SplitSearch;
  /** How often each row was drawn for the tree at hand. */
  drawn: Int32Array;
  /** The leaf shares that each row that was not drawn ends in. */
  leafOfOther: Int32Array;
  /** Drawn rows with their marks, and the other rows, each node a range; nodes of even depth in the first, of odd in the second. */
  rows: readonly [Int32Array, Int32Array];
  marks: readonly [Float64Array, Float64Array];
  others: readonly [Int32Array, Int32Array];
  /** Gini decrease by feature of the splits of the tree at hand, in rows. */
  gains: Float64Array;
  /** The features in random order. */
  order: Int32Array;
  stack: Int32Array;
}

export function newTreeGrowth(matrix: TrainingMatrix, settings: ForestSettings, stop: StopSignal): TreeGrowth {
  const { rowCount, featureCount } = matrix;
  return {
    matrix,
    settings,
    stop,
    search: newSplitSearch(matrix, settings.minLeafRows),
    drawn: new Int32Array(rowCount),
    leafOfOther: new Int32Array(rowCount),
    rows: [new Int32Array(rowCount), new Int32Array(rowCount)],
    marks: [new Float64Array(rowCount), new Float64Array(rowCount)],
    others: [new Int32Array(rowCount), new Int32Array(rowCount)],
    gains: new Float64Array(featureCount),
    order: new Int32Array(featureCount),
    stack: new Int32Array(MAX_OPEN_NODES * FRAME_SIZE),
  };
}

/**
 * Grows a tree on the rows with `drawn` above 0, returns its root, and where `takesVotes` is set, sets `leafOfOther` of the
 * other rows. `gains` holds the tree's own. Where time is up and `mayStop` is set, drops the tree and returns -1.
 */
export function growTree(
  growth: TreeGrowth,
  trees: Trees,
  random: Random,
  mayStop: boolean,
  takesVotes: boolean,
): number {
  const { settings, search, stack, stop } = growth;
  const { nodes } = trees;
  const leafCount = trees.leaves.count;
  const maxDepth = settings.maxDepth ?? Number.POSITIVE_INFINITY;
  const root = nodes.count;
  growth.gains.fill(0);
  for (let feature = 0; feature < growth.order.length; feature++) growth.order[feature] = feature;
  let from = 0;
  let to = placeRows(growth);
  let otherFrom = 0;
  let otherTo = takesVotes ? growth.matrix.rowCount - to : 0;
  let node = root;
  let depth = 0;
  let open = 0;
  let codesRead = 0;
  reserveNodes(nodes, 1);
  nodes.count++;
  for (;;) {
    const side = depth & 1;
    const rows = growth.rows[side]!;
    const marks = growth.marks[side]!;
    const mixed = startNode(search, marks, from, to);
    if (mixed && depth < maxDepth && search.weight >= 2 * settings.minLeafRows) {
      codesRead += searchSplit(growth, rows, marks, from, to, random);
      if (codesRead > CODES_BETWEEN_LOOKS) {
        codesRead = 0;
        throwIfCancelled(stop);
        if (mayStop && stop.timeIsUp()) {
          nodes.count = root;
          trees.leaves.dropFrom(leafCount);
          return -1;
        }
      }
    }
    if (search.bestFeature < 0) {
      closeLeaf(growth, trees, node, growth.others[side]!, otherFrom, otherTo);
      if (open === 0) return root;
      open--;
      const frame = open * FRAME_SIZE;
      node = stack[frame]!;
      from = stack[frame + 1]!;
      to = stack[frame + 2]!;
      otherFrom = stack[frame + 3]!;
      otherTo = stack[frame + 4]!;
      depth = stack[frame + 5]!;
      continue;
    }
    const middle = divideRows(growth, side, from, to);
    const otherMiddle = divideOthers(growth, side, otherFrom, otherTo);
    const left = splitNode(growth, nodes, node);
    depth++;
    const frame = open * FRAME_SIZE;
    open++;
    stack[frame + 5] = depth;
    if (middle - from <= to - middle) {
      stack[frame] = left + 1;
      stack[frame + 1] = middle;
      stack[frame + 2] = to;
      stack[frame + 3] = otherMiddle;
      stack[frame + 4] = otherTo;
      node = left;
      to = middle;
      otherTo = otherMiddle;
    } else {
      stack[frame] = left;
      stack[frame + 1] = from;
      stack[frame + 2] = middle;
      stack[frame + 3] = otherFrom;
      stack[frame + 4] = otherMiddle;
      node = left + 1;
      from = middle;
      otherFrom = otherMiddle;
    }
  }
}

/** Lists drawn rows with their marks, and the others; returns the number of distinct drawn rows. */
function placeRows(growth: TreeGrowth): number {
  const { matrix, drawn } = growth;
  const rows = growth.rows[0];
  const marks = growth.marks[0];
  const others = growth.others[0];
  let count = 0;
  for (let row = 0; row < matrix.rowCount; row++) {
    const weight = drawn[row]!;
    if (weight > 0) {
      rows[count] = row;
      marks[count] = markOf(matrix.classCount, matrix.classes[row]!, weight);
      count++;
    } else {
      others[row - count] = row;
    }
  }
  return count;
}

/** Tries features in random order until enough of them were not constant; returns about the number of codes read. */
function searchSplit(
  growth: TreeGrowth,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
  random: Random,
): number {
  const { search, order, settings } = growth;
  const { featuresPerSplit, variant } = settings;
  const { classCount } = growth.matrix;
  const featureCount = order.length;
  let tried = 0;
  let place = 0;
  while (place < featureCount && tried < featuresPerSplit) {
    const other = place + random.nextBelow(featureCount - place);
    const feature = order[other]!;
    order[other] = order[place]!;
    order[place] = feature;
    place++;
    let varies: boolean;
    if (variant === "extra-trees") varies = searchRandomCut(search, feature, rows, marks, from, to, random);
    else if (classCount === 2) varies = searchTwoClassCut(search, feature, rows, marks, from, to);
    else varies = searchManyClassCut(search, feature, rows, marks, from, to);
    if (varies) tried++;
  }
  return place * (to - from + 16);
}

/**
 * Writes a node's rows to the other side's arrays by the best split, left ones from the front and right ones from the back:
 * one store a row and no branch on data, and rows stay in ascending or descending order. Returns where the right ones begin.
 */
function divideRows(growth: TreeGrowth, side: number, from: number, to: number): number {
  const { matrix, search } = growth;
  const { codes } = matrix;
  const rows = growth.rows[side]!;
  const marks = growth.marks[side]!;
  const toRows = growth.rows[1 - side]!;
  const toMarks = growth.marks[1 - side]!;
  const base = search.bestFeature * matrix.rowCount;
  const shift = search.bestMissingRight;
  const limit = search.bestThreshold - shift;
  let left = from;
  let right = to - 1;
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    // -1 where the row goes right: the sign of a difference. With the shift, code 0 wraps to the largest code.
    const goesRight = (limit - ((codes[base + row]! - shift) & 0xffff)) >> 31;
    const target = left + ((right - left) & goesRight);
    toRows[target] = row;
    toMarks[target] = marks[at]!;
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}

/** The same for rows that were not drawn. */
function divideOthers(growth: TreeGrowth, side: number, from: number, to: number): number {
  if (from === to) return from;
  const { matrix, search } = growth;
  const { codes } = matrix;
  const others = growth.others[side]!;
  const toOthers = growth.others[1 - side]!;
  const base = search.bestFeature * matrix.rowCount;
  const shift = search.bestMissingRight;
  const limit = search.bestThreshold - shift;
  let left = from;
  let right = to - 1;
  for (let at = from; at < to; at++) {
    const row = others[at]!;
    const goesRight = (limit - ((codes[base + row]! - shift) & 0xffff)) >> 31;
    toOthers[left + ((right - left) & goesRight)] = row;
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}

/** Turns a node into a split with two new children and notes its gain; returns the left one's index. */
function splitNode({ search, gains }: TreeGrowth, nodes: NodeStore, node: number): number {
  const left = nodes.count;
  reserveNodes(nodes, 2);
  nodes.count += 2;
  nodes.features[node] = search.bestFeature;
  nodes.thresholds[node] = search.bestThreshold | (search.bestMissingRight * MISSING_RIGHT);
  nodes.children[node] = left;
  gains[search.bestFeature] = gains[search.bestFeature]! + giniDecrease(search);
  return left;
}

/** Stores the node's class shares and weight, and notes the shares for the rows that were not drawn. */
function closeLeaf(
  growth: TreeGrowth,
  trees: Trees,
  node: number,
  others: Int32Array,
  otherFrom: number,
  otherTo: number,
): void {
  const { search, leafOfOther } = growth;
  const { nodes, leaves } = trees;
  const index = leaves.indexOf(search.totals, search.weight);
  // Fields of splits: see `leafWeight`.
  nodes.features[node] = search.weight & 0xffff;
  nodes.thresholds[node] = search.weight >>> 16;
  nodes.children[node] = ~index;
  for (let at = otherFrom; at < otherTo; at++) leafOfOther[others[at]!] = index;
}
