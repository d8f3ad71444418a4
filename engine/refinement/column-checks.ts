// The checks that every column passes before its signal is judged: what can
// only be removed, and what a person should look at.
import type { ColumnKind } from "../profile/profile.ts";
import { benjaminiHochberg } from "../statistics/false-discovery.ts";
import { type DatePart, DIFFERENCE_PART, type Feature, featuresByColumn, labelledRows } from "../table/table.ts";
import { findColumnCopies, findCopies, isRenaming } from "./copies.ts";
import { type ColumnFlag, type KeepReason, LEAST_ROWS_TO_JUDGE, type RemoveReason } from "./decision.ts";
import { type FeatureFacts, majorityRuleStrength, SUSPECT_STRENGTH } from "./feature-facts.ts";
import { type RefinementTask, trainRows } from "./task.ts";
import { tellingStrength } from "./telling-terms.ts";

/** False-discovery rate of the tests here. */
const FALSE_DISCOVERY_RATE = 0.02;
/** A column is nearly constant if fewer rows than these are outside its most frequent value. */
const LEAST_MINORITY_ROWS = 5;
const LEAST_MINORITY_SHARE = 0.001;
const EMPTY_MISSING_SHARE = 0.995;
/** With a smaller share of missing cells, their signal is not worth a flag. */
const FLAGGED_MISSING_SHARE = 0.01;
/** Chance up to which parts of codes that differ in every row tell something, where rows are too few to judge. */
const CODES_P_VALUE = 0.05;
const ROW_ORDER_BLOCKS = 20;
const ROW_ORDER_STRENGTH = 0.85;
/** Drift must be certain and large: a stability index above .2 is the usual reading. */
const DRIFT_P_VALUE = 1e-6;
const DRIFT_STABILITY_INDEX = 0.2;

/** The profile of a TRAIN column. A column is used if it has facts. */
export interface ProfiledColumn {
  /** Position in the file, from 0. */
  index: number;
  kind: ColumnKind;
  role: "feature" | "label";
  /** Distinct non-missing texts. */
  distinct: number;
  /** All its cells are integers. */
  isInteger: boolean;
  /** Set where it names the group or the time of a row. */
  isKey?: boolean;
  /** Set where the user asked to leave it out. */
  isLeftOut?: boolean;
}

export interface ColumnCheck {
  /** Position in the file, from 0. */
  column: number;
  /** Null if the checks leave the column; `with` is the position of the column that it copies. */
  removal: { reason: RemoveReason; with: number | null } | null;
  /** Set where the column must stay whatever its evidence. */
  keep: KeepReason | null;
  flags: readonly ColumnFlag[];
}

/** A used column with what its features show. */
interface UsedColumn {
  index: number;
  kind: ColumnKind;
  features: readonly FeatureFacts[];
  /** Features that are missing where the cell is missing, and nowhere else. */
  cells: readonly FeatureFacts[];
  /** One of its features, or the presence of its cells, is significant among those of all features. */
  isSignificant: boolean;
  isMissingSignificant: boolean;
  /** For dates: the label changes with the date. */
  isLabelDrifting: boolean;
  /** The column, or one that it copies, nearly gives the label away. */
  isSuspect: boolean;
  /** First column with the same content; itself if none comes before. */
  firstCopy: number;
}

/**
 * One check per column of the file but the label, in file order. `removeLeaks`: suspected leaks of the label go,
 * instead of staying with a flag. Reasons to remove, the first that fits: EMPTY, NEAR_CONSTANT, TARGET_LEAK (only if
 * asked), ID_LIKE (codes of too few rows to be judged later, of which no part tells anything), DUPLICATE_OF the first
 * column by position that stays. Rare values and rare presence are no reason where they tell something of the label
 * (Benjamini-Hochberg at .02 over all features). `facts` holds one entry per feature of the table, in order.
 * O(rows × features).
 */
export function checkColumns(
  columns: readonly ProfiledColumn[],
  task: RefinementTask,
  facts: readonly FeatureFacts[],
  removeLeaks: boolean,
): ColumnCheck[] {
  const rowCount = task.learning.length;
  const usedColumns = describeUsed(columns, task, facts);
  const keptCopies = new Map<number, number>();
  const isOrdered = rowOrderStrength(task) >= ROW_ORDER_STRENGTH;
  return columns
    .filter(({ role }) => role === "feature")
    .map((profiled): ColumnCheck => {
      const column = usedColumns.get(profiled.index);
      const flags = column === undefined ? [] : flagsOf(column, rowCount);
      if (profiled.isKey === true) return { column: profiled.index, removal: null, keep: "KEPT_FOR_JUDGING", flags };
      if (column === undefined) return checkUnused(profiled, isOrdered);
      let removal = removalOf(column, rowCount, removeLeaks);
      const copied = keptCopies.get(column.firstCopy);
      if (removal === null && copied !== undefined) removal = { reason: "DUPLICATE_OF", with: copied };
      if (removal !== null) return { column: column.index, removal, keep: null, flags };
      keptCopies.set(column.firstCopy, column.index);
      return { column: column.index, removal, keep: keepOf(column, rowCount), flags };
    });
}

function checkUnused(profiled: ProfiledColumn, isOrdered: boolean): ColumnCheck {
  const { index, kind, distinct, isInteger, isLeftOut } = profiled;
  const remove = (reason: RemoveReason, flags: ColumnFlag[] = []): ColumnCheck => ({
    column: index,
    removal: { reason, with: null },
    keep: null,
    flags,
  });
  if (isLeftOut === true) return remove("LEFT_OUT");
  if (kind === "constant") return remove(distinct === 0 ? "EMPTY" : "CONSTANT");
  if (kind === "identifier") return remove("ID_LIKE", isInteger && isOrdered ? ["ROW_ORDER_LEAK"] : []);
  return remove(kind === "text" ? "FREE_TEXT" : "UNREADABLE");
}

/** How much twenty equal blocks of TRAIN in file order tell of the label: 1 if the file is sorted by the label. */
function rowOrderStrength(task: RefinementTask): number {
  const { classes, labels } = task.table;
  const rows = trainRows(task);
  const counts = new Int32Array(ROW_ORDER_BLOCKS * labels.length);
  for (let i = 0; i < rows.length; i++) {
    const block = Math.floor((i * ROW_ORDER_BLOCKS) / rows.length);
    counts[block * labels.length + classes[rows[i]!]!]!++;
  }
  return majorityRuleStrength(counts, labels.length);
}

function describeUsed(
  columns: readonly ProfiledColumn[],
  task: RefinementTask,
  facts: readonly FeatureFacts[],
): Map<number, UsedColumn> {
  const { table } = task;
  const trained = labelledRows(table, trainRows(task));
  const significant = benjaminiHochberg(
    facts.map(({ pValue }) => pValue),
    FALSE_DISCOVERY_RATE,
  );
  const missingSignificant = significantMissing(facts);
  const copies = findColumnCopies(table.features, findCopies(facts.map(({ copySignature }) => copySignature)));
  // A whole text may honestly tell most labels, so texts are suspected for single words only.
  const leakingTexts = new Set(
    (table.texts ?? [])
      .filter((text) => tellingStrength(text, trained) >= SUSPECT_STRENGTH)
      .map(({ column }) => column),
  );
  // A difference is no column by itself: one that leaks is a question about two columns.
  const isLeak = ({ strength, featureIndex }: FeatureFacts): boolean =>
    table.features[featureIndex]!.kind !== "score" &&
    table.features[featureIndex]!.part !== DIFFERENCE_PART &&
    (strength >= SUSPECT_STRENGTH || isRenaming(table.levels[featureIndex]!, table.classes, trained.rows));
  const featuresOf = featuresByColumn(table.features);
  const usedColumns = new Map<number, UsedColumn>();
  const suspects = new Set<number>();
  for (const { index, kind, role } of columns) {
    const features = featuresOf.get(index)?.map((feature) => facts[feature]!);
    if (features === undefined || role === "label") continue;
    const cells = ownCells(features, table.features);
    const firstCopy = copies.get(index) ?? index;
    if (features.some(isLeak) || leakingTexts.has(index)) suspects.add(firstCopy);
    usedColumns.set(index, {
      index,
      kind,
      features,
      cells,
      isSignificant: features.some(({ featureIndex }) => significant[featureIndex] === 1),
      isMissingSignificant: cells.some(({ featureIndex }) => missingSignificant.has(featureIndex)),
      isLabelDrifting: isLabelDrifting(features, table.features, significant),
      isSuspect: false,
      firstCopy,
    });
  }
  for (const column of usedColumns.values()) column.isSuspect = suspects.has(column.firstCopy);
  return usedColumns;
}

/**
 * Scores are missing for unknown words too, and differences for another column's cells, so other features of the
 * column tell of its missing cells, where there are any.
 */
function ownCells(facts: readonly FeatureFacts[], features: readonly Feature[]): readonly FeatureFacts[] {
  const others = facts.filter(({ featureIndex }) => {
    const { kind, part } = features[featureIndex]!;
    return kind !== "score" && part !== DIFFERENCE_PART;
  });
  return others.length > 0 ? others : facts;
}

/** Features whose missing cells tell something alone, tested among the features that have missing cells. */
function significantMissing(facts: readonly FeatureFacts[]): Set<number> {
  const tested = facts.filter(({ missingCount }) => missingCount > 0);
  const significant = benjaminiHochberg(
    tested.map(({ missingPValue }) => missingPValue),
    FALSE_DISCOVERY_RATE,
  );
  return new Set(tested.filter((_, at) => significant[at] === 1).map(({ featureIndex }) => featureIndex));
}

/**
 * Whether the label changes with the years, or within one year with the months. Beside a year the month does not count:
 * seasons come back, while what drifts does not.
 */
function isLabelDrifting(
  facts: readonly FeatureFacts[],
  features: readonly Feature[],
  significant: Uint8Array,
): boolean {
  const ofPart = (part: DatePart) => facts.find(({ featureIndex }) => features[featureIndex]!.part === part);
  const time = ofPart("year") ?? ofPart("month");
  return time !== undefined && significant[time.featureIndex] === 1;
}

function removalOf(column: UsedColumn, rowCount: number, removeLeaks: boolean): ColumnCheck["removal"] {
  const { features, isSignificant, isMissingSignificant } = column;
  const tellsNothing = !isSignificant && !isMissingSignificant;
  if (isNearlyEmpty(column, rowCount) && tellsNothing) return { reason: "EMPTY", with: null };
  const leastMinority = Math.max(LEAST_MINORITY_ROWS, LEAST_MINORITY_SHARE * rowCount);
  const isNearConstant = features.every(({ mostFrequentCount }) => rowCount - mostFrequentCount < leastMinority);
  if (isNearConstant && tellsNothing) return { reason: "NEAR_CONSTANT", with: null };
  if (column.isSuspect && removeLeaks) return { reason: "TARGET_LEAK", with: null };
  const isUnjudgedCode = column.kind === "identifier" && rowCount < LEAST_ROWS_TO_JUDGE;
  return isUnjudgedCode && features.every(({ pValue }) => pValue > CODES_P_VALUE)
    ? { reason: "ID_LIKE", with: null }
    : null;
}

function keepOf(column: UsedColumn, rowCount: number): KeepReason | null {
  if (column.isSuspect) return "KEPT_SUSPECT";
  return isNearlyEmpty(column, rowCount) && column.isMissingSignificant ? "KEPT_MISSING_INFORMATIVE" : null;
}

function isNearlyEmpty({ cells }: UsedColumn, rowCount: number): boolean {
  return cells.every(({ missingCount }) => missingCount > EMPTY_MISSING_SHARE * rowCount);
}

function flagsOf(column: UsedColumn, rowCount: number): ColumnFlag[] {
  const { features, cells, kind } = column;
  const flags: ColumnFlag[] = [];
  if (column.isSuspect) flags.push("TARGET_LEAK_SUSPECT");
  const missingCount = Math.max(...cells.map((facts) => facts.missingCount));
  if (column.isMissingSignificant && missingCount >= FLAGGED_MISSING_SHARE * rowCount)
    flags.push("MISSING_INFORMATIVE");
  const isDrifting = features.some(
    ({ driftPValue, stabilityIndex }) => driftPValue < DRIFT_P_VALUE && stabilityIndex > DRIFT_STABILITY_INDEX,
  );
  if (kind === "date" ? isDrifting || column.isLabelDrifting : isDrifting) {
    flags.push(kind === "date" ? "DATE_DRIFT" : "TRAIN_TEST_DRIFT");
  }
  return flags;
}
