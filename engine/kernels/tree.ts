// Growing one tree: the loop over its nodes, the choice of features, the division of rows, and the leaves.
import { addressOfItem, countsOf, itemOf, rowOf } from "./item.ts";
import { leafOfNode } from "./leaves.ts";
import { searchManyClassCut } from "./many-classes.ts";
import { codesOf, Matrix, Settings } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { Best, giniDecrease, isPerfect, Node, startManyClassNode, startTwoClassNode } from "./node.ts";
import { nextBelow } from "./random.ts";
import { searchRandomCut, searchRandomCuts } from "./random-cut.ts";
import { divideRows, MISSING_RIGHT, rightMask } from "./row-division.ts";
import { BATCH } from "./two-class-sums.ts";
import { searchTwoClassCut, searchTwoClassCuts } from "./two-classes.ts";

/** Asked at times; anything but 0 drops the tree. */
declare function shouldStop(): i32;

/** The smaller child is grown first, so that open nodes never outnumber the halvings of 2^32 rows. */
const MAX_OPEN_NODES: i32 = 34;
/** Node, range of drawn rows, range of other rows and depth, 4 bytes each, and the class counts at 24. */
const FRAME_BYTES: i32 = 32;
/** Codes read between two looks at the stop signal: about a millisecond of work. */
const CODES_BETWEEN_LOOKS: i32 = 1 << 18;
const DROPPED: i32 = -1;
/** With more rows, features are searched several at a time; with fewer, the first may well be as good as any. */
const FEW_ITEMS: i32 = 4;

export class Tree {
  /** u16, u16 and i32 arrays of nodes: see the forest model for what they hold. */
  static features: usize = 0;
  static thresholds: usize = 0;
  static children: usize = 0;
  /** f64: Gini decrease by feature of the tree's splits, in rows. */
  static gains: usize = 0;
  /** i32: the leaf that each row that was not drawn ends in. */
  static leafOfOther: usize = 0;
}

/** The node at hand, and the stack of those that wait, as frames up to `top`. */
class Open {
  static top: usize = 0;
  static node: i32 = 0;
  /** Range of drawn rows. */
  static from: i32 = 0;
  static to: i32 = 0;
  /** Range of other rows. */
  static otherFrom: i32 = 0;
  static otherTo: i32 = 0;
  static depth: i32 = 0;
  /** Two classes: the class counts. */
  static counts: i64 = 0;
}

/** Drawn rows, and i32 indexes of the others, each node a range; nodes of even depth in the first, of odd in the second. */
let items0: usize = 0;
let items1: usize = 0;
let others0: usize = 0;
let others1: usize = 0;
/** i32: the features in random order. */
let order: usize = 0;
let stack: usize = 0;
let codesRead: i32 = 0;

export function prepareTree(): void {
  const rowCount = Matrix.rowCount;
  items0 = allocateArray<u64>(rowCount);
  items1 = allocateArray<u64>(rowCount);
  others0 = allocateArray<i32>(rowCount);
  others1 = allocateArray<i32>(rowCount);
  order = allocateArray<i32>(Matrix.featureCount);
  stack = allocateArray<u8>(MAX_OPEN_NODES * FRAME_BYTES);
  Tree.gains = allocateArray<f64>(Matrix.featureCount);
  Tree.leafOfOther = allocateArray<i32>(rowCount);
  Tree.features = allocateArray<u16>(2 * rowCount);
  Tree.thresholds = allocateArray<u16>(2 * rowCount);
  Tree.children = allocateArray<i32>(2 * rowCount);
}

/**
 * Grows a tree on the rows with `drawn` above 0 and returns how many nodes it has, or -1 where it was dropped. Indexes of children
 * begin at `firstNode`. Where `takesVotes` is set, the leaves of the other rows are noted.
 */
export function growTree<Code>(firstNode: i32, takesVotes: bool): i32 {
  const isTwoClass = Matrix.classCount === 2;
  memory.fill(Tree.gains, 0, usize(Matrix.featureCount) * sizeof<f64>());
  for (let feature = 0; feature < Matrix.featureCount; feature++) put<i32>(order, feature, feature);
  Open.top = stack;
  Open.node = 0;
  Open.from = 0;
  Open.to = placeRows();
  Open.otherFrom = 0;
  Open.otherTo = takesVotes ? Matrix.rowCount - Open.to : 0;
  Open.depth = 0;
  Open.counts = isTwoClass ? sumOfCounts(Open.to) : 0;
  let nodeCount = 1;
  codesRead = 0;
  while (true) {
    if (searchNode<Code>(isTwoClass) && mayBeDropped()) return DROPPED;
    if (Best.feature < 0) {
      closeLeaf();
      if (Open.top === stack) return nodeCount;
      takeOpenNode();
    } else {
      const middle = divideItems<Code>(Open.from, Open.to);
      const otherMiddle =
        Open.otherFrom === Open.otherTo ? Open.otherFrom : divideOthers<Code>(Open.otherFrom, Open.otherTo);
      splitNode(Open.node, firstNode + nodeCount);
      enterSmallerChild(nodeCount, middle, otherMiddle);
      nodeCount += 2;
    }
  }
}

/** Looks for the best cut of the node at hand; true when it is time to look at the stop signal. */
function searchNode<Code>(isTwoClass: bool): bool {
  const items = itemsOf(Open.depth);
  const isMixed = isTwoClass ? startTwoClassNode(Open.counts) : startManyClassNode(items, Open.from, Open.to);
  if (!isMixed || Open.depth >= Settings.maxDepth || Node.weight < 2 * Settings.minLeafRows) return false;
  codesRead += searchSplit<Code>(items, Open.from, Open.to);
  return codesRead > CODES_BETWEEN_LOOKS;
}

function mayBeDropped(): bool {
  codesRead = 0;
  return shouldStop() !== 0;
}

function itemsOf(depth: i32): usize {
  return (depth & 1) === 0 ? items0 : items1;
}

function othersOf(depth: i32): usize {
  return (depth & 1) === 0 ? others0 : others1;
}

/** Leaves the larger child of the node at hand on the stack and goes on with the smaller one. */
function enterSmallerChild(left: i32, middle: i32, otherMiddle: i32): void {
  const leftCounts = Best.leftCounts;
  const rightCounts = Open.counts - leftCounts;
  const frame = Open.top;
  Open.top += FRAME_BYTES;
  Open.depth++;
  store<i32>(frame, Open.depth, 20);
  if (middle - Open.from <= Open.to - middle) {
    store<i32>(frame, left + 1);
    store<i32>(frame, middle, 4);
    store<i32>(frame, Open.to, 8);
    store<i32>(frame, otherMiddle, 12);
    store<i32>(frame, Open.otherTo, 16);
    store<i64>(frame, rightCounts, 24);
    Open.node = left;
    Open.to = middle;
    Open.otherTo = otherMiddle;
    Open.counts = leftCounts;
  } else {
    store<i32>(frame, left);
    store<i32>(frame, Open.from, 4);
    store<i32>(frame, middle, 8);
    store<i32>(frame, Open.otherFrom, 12);
    store<i32>(frame, otherMiddle, 16);
    store<i64>(frame, leftCounts, 24);
    Open.node = left + 1;
    Open.from = middle;
    Open.otherFrom = otherMiddle;
    Open.counts = rightCounts;
  }
}

function takeOpenNode(): void {
  Open.top -= FRAME_BYTES;
  const frame = Open.top;
  Open.node = load<i32>(frame);
  Open.from = load<i32>(frame, 4);
  Open.to = load<i32>(frame, 8);
  Open.otherFrom = load<i32>(frame, 12);
  Open.otherTo = load<i32>(frame, 16);
  Open.depth = load<i32>(frame, 20);
  Open.counts = load<i64>(frame, 24);
}

/** Lists the drawn rows and the others; returns the number of distinct drawn rows. */
function placeRows(): i32 {
  let count = 0;
  for (let row = 0; row < Matrix.rowCount; row++) {
    const weight = at<i32>(Matrix.drawn, row);
    // In both lists, whether it is drawn or not: the next row is written over it where it does not belong.
    store<u64>(addressOfItem(items0, count), itemOf(row, weight, at<u8>(Matrix.classes, row)));
    put<i32>(others0, row - count, row);
    count += i32(weight > 0);
  }
  return count;
}

function sumOfCounts(count: i32): i64 {
  let sum: i64 = 0;
  for (let index = 0; index < count; index++) sum += countsOf(load<u64>(addressOfItem(items0, index)));
  return sum;
}

/**
 * Tries features in random order until enough of them were not constant; returns about the number of codes read. As many as will
 * be tried whatever they hold are drawn before any of them is searched.
 */
function searchSplit<Code>(items: usize, from: i32, to: i32): i32 {
  const isBatched = Matrix.classCount === 2 && (Settings.isRandomCut || to - from > FEW_ITEMS);
  let tried = 0;
  let place = 0;
  while (place < Matrix.featureCount && tried < Settings.featuresPerSplit) {
    const end = place + min(Matrix.featureCount - place, Settings.featuresPerSplit - tried);
    for (let drawn = place; drawn < end; drawn++) drawFeature(drawn);
    while (isBatched && end - place > 1) {
      const count = min(end - place, BATCH);
      tried += searchBatch<Code>(order + (usize(place) << 2), count, items, from, to);
      place += count;
    }
    for (; place < end; place++) tried += i32(searchFeature<Code>(at<i32>(order, place), items, from, to));
  }
  return place * (to - from + 16);
}

/** Searches two to four features for the best cut of a node of two classes; returns how many are not constant. */
function searchBatch<Code>(features: usize, count: i32, items: usize, from: i32, to: i32): i32 {
  if (Settings.isRandomCut) return searchRandomCuts<Code>(features, count, items, from, to);
  return searchTwoClassCuts<Code>(features, count, items, from, to);
}

/** False where the feature is constant. */
function searchFeature<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  if (Settings.isRandomCut) return searchRandomCut<Code>(feature, items, from, to);
  if (isPerfect()) return isVaried<Code>(feature, items, from, to);
  if (Matrix.classCount === 2) return searchTwoClassCut<Code>(feature, items, from, to);
  return searchManyClassCut<Code>(feature, items, from, to);
}

/** False where the rows `[from, to)` all have the same code. */
function isVaried<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  const codes = codesOf<Code>(feature);
  const first = load<Code>(codes + rowOf(load<u64>(addressOfItem(items, from))) * sizeof<Code>());
  for (let index = from + 1; index < to; index++) {
    if (load<Code>(codes + rowOf(load<u64>(addressOfItem(items, index))) * sizeof<Code>()) !== first) return true;
  }
  return false;
}

/** One step of a Fisher-Yates shuffle. */
function drawFeature(place: i32): void {
  const other = place + nextBelow(Matrix.featureCount - place);
  const feature = at<i32>(order, other);
  put<i32>(order, other, at<i32>(order, place));
  put<i32>(order, place, feature);
}

/**
 * Writes a node's rows to the other array by the best split, left ones from the front and right ones from the back;
 * returns where the right ones begin.
 */
function divideItems<Code>(from: i32, to: i32): i32 {
  const source = itemsOf(Open.depth);
  const target = itemsOf(Open.depth + 1);
  const codes = codesOf<Code>(Best.feature);
  const missingRight = Best.missingRight;
  const limit = Best.threshold - missingRight;
  let left = from;
  let right = to - 1;
  for (let index = from; index < to; index++) {
    const item = load<u64>(addressOfItem(source, index));
    const goesRight = rightMask(i32(load<Code>(codes + rowOf(item) * sizeof<Code>())), limit, missingRight);
    store<u64>(addressOfItem(target, left + ((right - left) & goesRight)), item);
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}

/** The same for rows that were not drawn. */
function divideOthers<Code>(from: i32, to: i32): i32 {
  const codes = codesOf<Code>(Best.feature);
  const source = othersOf(Open.depth);
  return divideRows<Code>(codes, Best.threshold, Best.missingRight, source, othersOf(Open.depth + 1), from, to);
}

/** Turns a node into a split with its children at `left` and after, and notes its gain. */
function splitNode(node: i32, left: i32): void {
  put<u16>(Tree.features, node, u16(Best.feature));
  put<u16>(Tree.thresholds, node, u16(Best.threshold | (Best.missingRight * MISSING_RIGHT)));
  put<i32>(Tree.children, node, left);
  put<f64>(Tree.gains, Best.feature, at<f64>(Tree.gains, Best.feature) + giniDecrease());
}

/** Stores the node's class shares and weight, and notes the shares for the rows that were not drawn. */
function closeLeaf(): void {
  const node = Open.node;
  const leaf = leafOfNode();
  put<u16>(Tree.features, node, u16(Node.weight));
  put<u16>(Tree.thresholds, node, u16(Node.weight >> 16));
  put<i32>(Tree.children, node, ~leaf);
  const others = othersOf(Open.depth);
  for (let index = Open.otherFrom; index < Open.otherTo; index++) {
    put<i32>(Tree.leafOfOther, at<i32>(others, index), leaf);
  }
}
