// Whether groups and times are a basis for judging: refused before any work where no honest split can be made of them.
import { quotedName } from "../csv/header.ts";
import { countClasses } from "../fitting/class-counts.ts";
import { InputError } from "../input-error.ts";
import { sumOf } from "../sums.ts";
import type { Table } from "../table/table.ts";
import type { Warning } from "../warning.ts";
import { assignParts, confirmingParts, HOLDOUT_PART, PART_COUNT, type Split, splitByPart } from "./holdout.ts";
import type { RowKeys } from "./row-keys.ts";

/** One for each part. */
export const FEWEST_GROUPS = PART_COUNT;
/** Moments: with fewer, the cuts by time fall together. */
const LEAST_TIMES = 5;
/** The share of the rows that the newest part of them has. */
const NEWEST_SHARE = 0.1;
/** Labels named in a message. */
const NAMES_SHOWN = 5;

/** Names of the columns that the keys come from; null where there is none. */
export interface KeyNames {
  group: string | null;
  time: string | null;
}

/** A split, and the rows of each class on both of its sides. */
interface CountedSplit extends Split {
  learned: Float64Array;
  judged: Float64Array;
}

/**
 * Returns the warning LATE_LABEL where rows that judge have labels that none of the older rows has.
 *
 * @throws InputError UNUSABLE_GROUP or UNUSABLE_TIME that says why, and what to do
 */
export function checkKeys(
  { classes, labels, rowCount }: Pick<Table, "classes" | "labels" | "rowCount">,
  keys: RowKeys,
  groupCount: number,
  names: KeyNames,
): Warning[] {
  if (names.group !== null) requireGroups(names.group, groupCount, rowCount);
  if (names.time !== null) requireTimes(names.time, keys.times!);
  // Any seed serves: whether parts can be dealt does not depend on it.
  const parts = assignParts(classes, labels.length, 0, keys);
  const countsOf = (rows: Uint32Array) => countClasses({ rows, classes, classCount: labels.length });
  const splits = [HOLDOUT_PART, ...confirmingParts(parts)].map((part): CountedSplit => {
    const split = splitByPart(parts, part);
    return { ...split, learned: countsOf(split.learning), judged: countsOf(split.judging) };
  });
  for (const split of splits) requireSplit(split, names, keys);
  return names.time === null ? [] : lateLabels(splits, labels, names.time);
}

function requireGroups(column: string, groupCount: number, rowCount: number): void {
  const columnWords = `Column ${quotedName(column)}`;
  const refuse = (why: string) => {
    throw new InputError("UNUSABLE_GROUP", why, { column });
  };
  if (groupCount <= 1)
    refuse(
      `${columnWords} holds one value only, so it names no groups. ` +
        "Name the column that tells machines, patients or customers apart.",
    );
  if (groupCount === rowCount) {
    refuse(
      `${columnWords} has another value in every row, so no two rows belong together by it. ` +
        "Name the column whose values recur, or leave the option out.",
    );
  }
  if (groupCount < FEWEST_GROUPS) {
    refuse(
      `${columnWords} names ${groupCount} groups; at least ${FEWEST_GROUPS} are needed to hold some out, ` +
        "and 30 or more to know the accuracy well. Add rows of other groups, or leave the option out.",
    );
  }
}

function requireTimes(column: string, times: Float64Array): void {
  const distinct = new Set(times);
  distinct.delete(Number.NaN);
  if (distinct.size >= LEAST_TIMES) return;
  const message = `Column ${quotedName(column)} holds ${distinct.size === 1 ? "one time" : `${distinct.size} times`} only; at least ${LEAST_TIMES} are needed to tell old rows from new ones. Name a finer column, or leave the option out.`;
  throw new InputError("UNUSABLE_TIME", message, { column });
}

function requireSplit(
  { learning, judging, learned }: CountedSplit,
  { group, time }: KeyNames,
  { times }: RowKeys,
): void {
  if (judging.length > 0 && learned.filter((count) => count > 0).length > 1) return;
  const column = (group ?? time)!;
  const why =
    group === null
      ? `By column ${quotedName(column)} ${whyUnjudged(learning, judging, times!)}`
      : `Column ${quotedName(column)} leaves nothing to judge by: ` +
        "nearly every label belongs to a single group, so that no model can learn a label from other groups.";
  const code = group === null ? "UNUSABLE_TIME" : "UNUSABLE_GROUP";
  throw new InputError(code, `${why} Name another column, or leave the option out.`, { column });
}

/** Why the rows that are cut by time cannot be judged. */
function whyUnjudged(learning: Uint32Array, judging: Uint32Array, times: Float64Array): string {
  if (learning.length > 0 && judging.length > 0)
    return "the older rows hold one label only, so nothing can be learned from them.";
  // One side is empty only where two cuts fall together, because so many rows have one time.
  const sorted = times.filter((time) => !Number.isNaN(time)).sort();
  const isNew = judging.length === 0;
  const shared = sorted[isNew ? Math.round(sorted.length * (1 - NEWEST_SHARE)) : 0];
  const count = sorted.filter((time) => time === shared).length;
  return (
    `${count} of ${times.length} rows have one and the same time, ${isNew ? "among the newest" : "the oldest"}, ` +
    "so that there are no older and newer rows among them to judge by. " +
    'If it stands for "open" or "unknown", it is no time: --missing-in says that it is missing.'
  );
}

/** Tells the labels that are new to the judged rows of the split where most are: none of its older rows has them. */
function lateLabels(splits: readonly CountedSplit[], labels: readonly string[], time: string): Warning[] {
  const lateBySplit = splits.map(({ learning, judging, learned, judged }) => {
    const late = labels.flatMap((label, code) => (learned[code] === 0 && judged[code]! > 0 ? [{ label, code }] : []));
    const names = late.map(({ label }) => quotedName(label));
    return {
      names,
      count: sumOf(late.map(({ code }) => judged[code]!)),
      older: learning.length,
      newer: judging.length,
    };
  });
  const { names, count, older, newer } = lateBySplit.reduce((most, each) =>
    each.names.length > most.names.length ? each : most,
  );
  if (names.length === 0) return [];
  const shown = names.length > NAMES_SHOWN ? [...names.slice(0, NAMES_SHOWN), "others"] : names;
  const [subject, it] =
    names.length === 1 ? [`The label ${names[0]} begins`, "it"] : [`The labels ${shown.join(", ")} begin`, "them"];
  const message =
    `${subject} late by column ${quotedName(time)}: ${count} of ${newer} newer rows have ${it}, and none of the ` +
    `${older} older rows that teach the models which these rows judge. There they count as wrong; the kept models ` +
    `learn ${it} from all rows.`;
  return [{ code: "LATE_LABEL", message, column: time, count }];
}
