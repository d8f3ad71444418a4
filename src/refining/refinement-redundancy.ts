// Near copies among columns with a signal: one of each group stays if cross-validation is as good without the others.
import { compareScores, type RowScores } from "../../engine/refinement/cross-validation.ts";
import type { FeatureEvidence } from "../../engine/refinement/evidence.ts";
import { MOST_GROUPS } from "../../engine/refinement/plan.ts";
import { type Feature, featuresOfColumns } from "../../engine/table/table.ts";
import { validate } from "./refinement-models.ts";
import type { Refinery } from "./refinery.ts";

/** How much worse, in standard errors, a set without near copies may be. */
const MOST_BRIER_Z = 1;
const MOST_ACCURACY_Z = 0.5;

export interface Reduction {
  columns: ReadonlySet<number>;
  /** The representative of each dropped column. */
  representatives: ReadonlyMap<number, number>;
  scores: RowScores;
}

/** Drops near copies from `from`: all groups at once, else group by group; null if all are needed. */
export async function dropNearCopies(
  refinery: Refinery,
  from: ReadonlySet<number>,
  reference: RowScores,
  evidence: ReadonlyMap<number, FeatureEvidence>,
): Promise<Reduction | null> {
  const groups = await groupColumns(refinery, from, evidence);
  if (groups.length === 0) return null;
  const together = await tryWithout(refinery, from, groups, reference, "near copies");
  if (together !== null || groups.length === 1) return together;
  let accepted: Reduction | null = null;
  let dropped: readonly ColumnGroup[] = [];
  for (const [index, group] of groups.slice(0, MOST_GROUPS).entries()) {
    const reduction = await tryWithout(refinery, from, [...dropped, group], reference, `near copies ${index}`);
    if (reduction === null) continue;
    accepted = reduction;
    dropped = [...dropped, group];
  }
  return accepted;
}

interface ColumnGroup {
  leader: number;
  others: readonly number[];
}

/**
 * Groups of near copies, led by their strongest column, largest first. Each column takes part with one feature, so
 * that it is no copy of itself. A text takes part with the first of its scores, which is the same if the terms are.
 * Dates, which have several features, stay out.
 */
async function groupColumns(
  { task, taskId, units }: Refinery,
  columns: ReadonlySet<number>,
  evidence: ReadonlyMap<number, FeatureEvidence>,
): Promise<ColumnGroup[]> {
  const gainOf = (feature: number) => evidence.get(feature)?.forest?.gain ?? 0;
  const wholeFeatures = featuresOfColumns(task.table, columns).filter(
    (feature) => isWhole(task.table.features[feature]!) && evidence.has(feature),
  );
  const firstOfColumn = Map.groupBy(wholeFeatures, (feature) => task.table.features[feature]!.column);
  const features = [...firstOfColumn.values()].map(([first]) => first!).sort((a, b) => gainOf(b) - gainOf(a) || a - b);
  if (features.length === 0) return [];
  const leaders = await units.run("near copies", "groupFeatures", { taskId, features });
  const columnOf = (position: number) => task.table.features[features[position]!]!.column;
  return [...Map.groupBy(features.keys(), (position) => leaders[position]!)]
    .filter(([, members]) => members.length > 1)
    .map(([leader, members]) => ({
      leader: columnOf(leader),
      others: members.filter((position) => position !== leader).map(columnOf),
    }))
    .sort((a, b) => b.others.length - a.others.length || a.leader - b.leader);
}

function isWhole(feature: Feature): boolean {
  return feature.kind === "score" ? feature.group === 0 : feature.part === null;
}

async function tryWithout(
  refinery: Refinery,
  from: ReadonlySet<number>,
  groups: readonly ColumnGroup[],
  reference: RowScores,
  name: string,
): Promise<Reduction | null> {
  const representatives = new Map(groups.flatMap(({ leader, others }) => others.map((other) => [other, leader])));
  const columns = new Set([...from].filter((column) => !representatives.has(column)));
  const scores = await validate(refinery, columns, name);
  const { accuracyZ, brierZ } = compareScores(reference, scores);
  return accuracyZ <= MOST_ACCURACY_Z && brierZ <= MOST_BRIER_Z ? { columns, representatives, scores } : null;
}
