// Growing one tree: the loop over its nodes, the choice of features, the division of rows, and the leaves.
import { addressOfItem, countsOf, itemOf, rowOf } from "./item.ts";
import { leafOfNode } from "./leaves.ts";
import { searchManyClassCut } from "./many-classes.ts";
import { codesOf, Matrix, Settings } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { Best, giniDecrease, isPerfect, Node, startManyClassNode, startTwoClassNode } from "./node.ts";
import { nextBelow } from "./random.ts";
import { cutBySums, searchRandomCut } from "./random-cut.ts";
import { divideRows, MISSING_RIGHT } from "./row-division.ts";
import { codeAt, scoreHistogram, searchTwoClassCut } from "./two-class-cuts.ts";
import { BATCH, hasFewRows, histogramOf, mostCodesOf, sumBatch } from "./two-class-sums.ts";

/** Asked now and then; anything but 0 drops the tree. */
declare function shouldStop(): i32;

/** The smaller child is grown first, so that waiting nodes never outnumber the halvings of 2^32 rows. */
const MAX_OPEN_NODES: i32 = 35;
/** Codes read between two looks at the stop signal: about a millisecond of work. */
const CODES_BETWEEN_LOOKS: i32 = 1 << 18;
const DROPPED: i32 = -1;
/** With more rows, features are searched several at a time; with fewer, the first is often perfect. */
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

/** The node that is grown now, or one that waits for it. */
@unmanaged
class Frame {
  node: i32;
  /** Range of drawn rows. */
  from: i32;
  to: i32;
  /** Range of other rows. */
  otherFrom: i32;
  otherTo: i32;
  depth: i32;
  /** Two classes: the class counts. */
  counts: i64;
}

/**
 * Drawn rows, and i32 indexes of the others; each node is a range, at even depth
 * of the first array, at odd depth of the second.
 */
let items0: usize = 0;
let items1: usize = 0;
let others0: usize = 0;
let others1: usize = 0;
/** i32: the features in random order. */
let order: usize = 0;
/** Frames one after the other. The last one is grown now, the others wait. */
let stack: usize = 0;
let open: Frame = changetype<Frame>(0);
let codesRead: i32 = 0;

export function prepareTree(): void {
  const rowCount = Matrix.rowCount;
  items0 = allocateArray<u64>(rowCount);
  items1 = allocateArray<u64>(rowCount);
  others0 = allocateArray<i32>(rowCount);
  others1 = allocateArray<i32>(rowCount);
  order = allocateArray<i32>(Matrix.featureCount);
  stack = allocateArray<u8>(MAX_OPEN_NODES * i32(offsetof<Frame>()));
  Tree.gains = allocateArray<f64>(Matrix.featureCount);
  Tree.leafOfOther = allocateArray<i32>(rowCount);
  Tree.features = allocateArray<u16>(2 * rowCount);
  Tree.thresholds = allocateArray<u16>(2 * rowCount);
  Tree.children = allocateArray<i32>(2 * rowCount);
}

/**
 * Grows a tree on the rows with `drawn` above 0; returns its number of nodes, or -1 if it was dropped. With
 * `takesVotes`, it notes the leaves of the other rows.
 */
export function growTree<Code>(takesVotes: bool): i32 {
  const isTwoClass = Matrix.classCount === 2;
  memory.fill(Tree.gains, 0, usize(Matrix.featureCount) * sizeof<f64>());
  for (let feature = 0; feature < Matrix.featureCount; feature++) put<i32>(order, feature, feature);
  const drawnCount = placeRows();
  const otherCount = takesVotes ? Matrix.rowCount - drawnCount : 0;
  open = changetype<Frame>(stack);
  fillFrame(open, 0, 0, drawnCount, 0, otherCount, 0, isTwoClass ? sumOfCounts(drawnCount) : 0);
  let nodeCount = 1;
  codesRead = 0;
  while (true) {
    if (searchNode<Code>(isTwoClass) && mayBeDropped()) return DROPPED;
    if (Best.feature < 0) {
      closeLeaf();
      if (changetype<usize>(open) === stack) return nodeCount;
      open = changetype<Frame>(changetype<usize>(open) - offsetof<Frame>());
    } else {
      const depth = open.depth;
      const middle = divide<Code, u64>(itemsOf(depth), itemsOf(depth + 1), open.from, open.to);
      const otherMiddle = divide<Code, i32>(othersOf(depth), othersOf(depth + 1), open.otherFrom, open.otherTo);
      splitNode(open.node, nodeCount);
      openChildren(nodeCount, middle, otherMiddle);
      nodeCount += 2;
    }
  }
}

/** Divides the rows of the current node by its best cut; returns where the right ones begin. */
function divide<Code, Row>(source: usize, target: usize, from: i32, to: i32): i32 {
  if (from === to) return from;
  return divideRows<Code, Row>(
    codesOf<Code>(Best.feature),
    Best.threshold,
    Best.missingRight,
    source,
    target,
    from,
    to,
  );
}

/** Finds the best cut of the current node; true when it is time to look at the stop signal. */
function searchNode<Code>(isTwoClass: bool): bool {
  const items = itemsOf(open.depth);
  const isMixed = isTwoClass ? startTwoClassNode(open.counts) : startManyClassNode(items, open.from, open.to);
  if (!isMixed || open.depth >= Settings.maxDepth || Node.weight < 2 * Settings.minLeafRows) return false;
  codesRead += searchSplit<Code>(items, open.from, open.to);
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

/** The larger child of the current node waits in its frame; the smaller one is grown next. */
function openChildren(left: i32, middle: i32, otherMiddle: i32): void {
  const next = changetype<Frame>(changetype<usize>(open) + offsetof<Frame>());
  const isLeftSmaller = middle - open.from <= open.to - middle;
  const leftFrame = isLeftSmaller ? next : open;
  const rightFrame = isLeftSmaller ? open : next;
  const to = open.to;
  const otherTo = open.otherTo;
  const depth = open.depth + 1;
  const rightCounts = open.counts - Best.leftCounts;
  fillFrame(leftFrame, left, open.from, middle, open.otherFrom, otherMiddle, depth, Best.leftCounts);
  fillFrame(rightFrame, left + 1, middle, to, otherMiddle, otherTo, depth, rightCounts);
  open = next;
}

function fillFrame(
  frame: Frame,
  node: i32,
  from: i32,
  to: i32,
  otherFrom: i32,
  otherTo: i32,
  depth: i32,
  counts: i64,
): void {
  frame.node = node;
  frame.from = from;
  frame.to = to;
  frame.otherFrom = otherFrom;
  frame.otherTo = otherTo;
  frame.depth = depth;
  frame.counts = counts;
}

/** Lists the drawn rows and the others; returns the number of distinct drawn rows. */
function placeRows(): i32 {
  let count = 0;
  for (let row = 0; row < Matrix.rowCount; row++) {
    const weight = at<i32>(Matrix.drawn, row);
    // A row is written to both lists; in the wrong one the next row overwrites it.
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
 * Tries features in random order until enough of them were not constant; returns about the number of codes read.
 * Features that are tried in any case are drawn before the first of them is searched.
 */
function searchSplit<Code>(items: usize, from: i32, to: i32): i32 {
  const isBatched = Matrix.classCount === 2 && (Settings.isRandomCut || to - from > FEW_ITEMS);
  let tried = 0;
  let place = 0;
  while (place < Matrix.featureCount && tried < Settings.featuresPerSplit) {
    const end = place + min(Matrix.featureCount - place, Settings.featuresPerSplit - tried);
    for (let drawn = place; drawn < end; drawn++) drawFeature(drawn);
    while (isBatched && end - place > 1) {
      const count = end - place < BATCH ? 2 : BATCH;
      tried += searchBatch<Code>(order + (usize(place) << 2), count, items, from, to);
      place += count;
    }
    for (; place < end; place++) tried += i32(searchFeature<Code>(at<i32>(order, place), items, from, to));
  }
  return place * (to - from + 16);
}

/** Searches two or four features of a node of two classes, in their order; returns how many are not constant. */
function searchBatch<Code>(features: usize, count: i32, items: usize, from: i32, to: i32): i32 {
  const hasFew = hasFewRows(mostCodesOf(features, count), from, to);
  if (!hasFew) sumBatch<Code>(features, count, items, from, to);
  let varied = 0;
  for (let place = 0; place < count; place++) {
    const feature = at<i32>(features, place);
    if (hasFew) varied += i32(searchFeature<Code>(feature, items, from, to));
    else if (Settings.isRandomCut) varied += i32(cutBySums(feature, histogramOf(place)));
    else varied += i32(scoreHistogram(feature, histogramOf(place), codeAt<Code>(feature, items, from)));
  }
  return varied;
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

/** Turns a node into a split with children `left` and `left + 1`, and adds its gain. */
function splitNode(node: i32, left: i32): void {
  put<u16>(Tree.features, node, u16(Best.feature));
  put<u16>(Tree.thresholds, node, u16(Best.threshold | (Best.missingRight * MISSING_RIGHT)));
  put<i32>(Tree.children, node, left);
  put<f64>(Tree.gains, Best.feature, at<f64>(Tree.gains, Best.feature) + giniDecrease());
}

/** Stores the node's class shares and weight, and notes the shares for the rows that were not drawn. */
function closeLeaf(): void {
  const node = open.node;
  const leaf = leafOfNode();
  put<u16>(Tree.features, node, u16(Node.weight));
  put<u16>(Tree.thresholds, node, u16(Node.weight >> 16));
  put<i32>(Tree.children, node, ~leaf);
  const others = othersOf(open.depth);
  for (let index = open.otherFrom; index < open.otherTo; index++) {
    put<i32>(Tree.leafOfOther, at<i32>(others, index), leaf);
  }
}
