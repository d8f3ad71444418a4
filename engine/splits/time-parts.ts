// Parts by age: the newest rows judge, and only what is older learns. Rows of one moment stay together.
import { NO_GROUP, NO_PART } from "./row-keys.ts";

/** The learning rows are cut into one more block than there are folds: the oldest only teaches. */
const TEACHING_BLOCKS = 1;

/**
 * The part of each row by its time: `shares[0]` of the rows, the newest, are part 0, the next
 * `shares[1]` part 1, and so on; all that is older is the last part. Cuts lie between two
 * times, so shares hold as far as times recur. `NO_PART` for NaN.
 */
export function ageParts(times: Float64Array, shares: readonly number[]): Uint8Array {
  const cuts = cutsOf(times, shares);
  return Uint8Array.from(times, (time) => {
    if (Number.isNaN(time)) return NO_PART;
    const part = cuts.findIndex((cut) => time >= cut);
    return part < 0 ? cuts.length : part;
  });
}

/** The oldest time of each part, from the newest part on. */
function cutsOf(times: Float64Array, shares: readonly number[]): number[] {
  const sorted = times.filter((time) => !Number.isNaN(time)).sort();
  let share = 0;
  return shares.map((partShare) => {
    share += partShare;
    return sorted[Math.min(sorted.length - 1, Math.round(sorted.length * (1 - share)))]!;
  });
}

/**
 * Groups in parts by age: ordered by the median time of their rows and cut into `partCount` parts of about equal
 * numbers of rows, the newest first. `NO_PART` where the group or every time of it is missing.
 */
export function groupAges(groups: Uint32Array, times: Float64Array, partCount: number): Uint8Array {
  const timesOf = new Map<number, number[]>();
  groups.forEach((group, row) => {
    if (group === NO_GROUP || Number.isNaN(times[row]!)) return;
    const groupTimes = timesOf.get(group);
    if (groupTimes === undefined) timesOf.set(group, [times[row]!]);
    else groupTimes.push(times[row]!);
  });
  const rowCount = [...timesOf.values()].reduce((sum, times) => sum + times.length, 0);
  const newestFirst = [...timesOf]
    .map(([group, times]) => ({ group, count: times.length, median: medianOf(times) }))
    .sort((a, b) => b.median - a.median || a.group - b.group);
  const partOf = new Map<number, number>();
  let before = 0;
  for (const { group, count } of newestFirst) {
    partOf.set(group, Math.min(partCount - 1, Math.floor(((before + count / 2) * partCount) / rowCount)));
    before += count;
  }
  return Uint8Array.from(groups, (group) => partOf.get(group) ?? NO_PART);
}

function medianOf(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)]!;
}

/**
 * Forward folds: rows cut by time into `foldCount + 1` blocks of about equal size; each fold judges one block and
 * learns from all older ones, the newest block first. With groups, a fold does not learn from rows of a group that it
 * judges; where groups run through the blocks it judges only some (`judgedGroups`). Folds that have no rows to learn
 * from or to judge are left out.
 */
export function forwardFolds(
  rows: Uint32Array,
  times: Float64Array,
  groups: Uint32Array | null,
  foldCount: number,
): { learning: Uint32Array; judging: Uint32Array }[] {
  const chosen = Float64Array.from(rows, (row) => times[row]!);
  const blockCount = foldCount + TEACHING_BLOCKS;
  const blocks = ageParts(chosen, new Array<number>(foldCount).fill(1 / blockCount));
  return Array.from({ length: foldCount }, (_, fold) => {
    const block = rows.filter((_, index) => blocks[index] === fold);
    const older = rows.filter((_, index) => blocks[index]! > fold && blocks[index] !== NO_PART);
    if (groups === null) return { learning: older, judging: block };
    const judged = judgedGroups(block, older, groups, fold);
    return {
      learning: older.filter((row) => !judged.has(groups[row]!)),
      judging: block.filter((row) => judged.has(groups[row]!)),
    };
  }).filter(({ learning, judging }) => learning.length > 0 && judging.length > 0);
}

/**
 * The groups of a block that a fold judges: those with the fewest older rows, as many as leave half of the older rows
 * to learn from. Of equal groups, every second fold takes the last ones first.
 */
function judgedGroups(block: Uint32Array, older: Uint32Array, groups: Uint32Array, fold: number): Set<number> {
  const olderRows = new Map<number, number>(Array.from(block, (row) => [groups[row]!, 0]));
  for (const row of older) {
    const count = olderRows.get(groups[row]!);
    if (count !== undefined) olderRows.set(groups[row]!, count + 1);
  }
  const sign = fold % 2 === 0 ? 1 : -1;
  const fewestFirst = [...olderRows].sort(([a, countA], [b, countB]) => countA - countB || sign * (a - b));
  const judgedGroups = new Set<number>();
  let left = older.length;
  for (const [group, count] of fewestFirst) {
    left -= count;
    if (left < older.length / 2) break;
    judgedGroups.add(group);
  }
  return judgedGroups;
}

/**
 * Blocks of about a hundredth of the rows by time, numbered from the oldest: what an interval counts as independent.
 */
export function timeBlocks(times: Float64Array): Uint32Array {
  const sorted = times.filter((time) => !Number.isNaN(time)).sort();
  const cuts = Float64Array.from({ length: 99 }, (_, at) => sorted[Math.floor((sorted.length * (at + 1)) / 100)]!);
  return Uint32Array.from(times, (time) => {
    if (Number.isNaN(time)) return NO_GROUP;
    let low = 0;
    for (let high = cuts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (cuts[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
