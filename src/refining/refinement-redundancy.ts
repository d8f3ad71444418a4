// Near copies among columns with a signal: one of each group stays if cross-validation is as good without the others.
import { compareScores, type RowScores } from "../../engine/refinement/cross-validation.ts";
import type { FeatureEvidence } from "../../engine/refinement/evidence.ts";
import { FAMILIES, MOST_GROUPS } from "../../engine/refinement/plan.ts";
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
  const singles = groups.slice(0, MOST_GROUPS);
  const droppedGroups: number[] = [];
  let accepted: Reduction | null = null;
  // With spare threads the next groups are tried meanwhile, as if those before them stayed: they mostly do.
  const atOnce = Math.max(1, Math.floor(refinery.threads / FAMILIES));
  const trials = new Map<number, Promise<Reduction | null>>();
  const begin = (first: number, end: number) => {
    for (let index = first; index < Math.min(end, singles.length); index++) {
      if (trials.has(index)) continue;
      const dropped = [...droppedGroups, index];
      const groupsToDrop = dropped.map((group) => singles[group]!);
      const reduction = tryWithout(refinery, from, groupsToDrop, reference, `near copies ${dropped.join(" ")}`);
      // The error reaches the code that awaits the promise later; until then it must not count as unhandled.
      reduction.catch(() => undefined);
      trials.set(index, reduction);
    }
  };
  const together = tryWithout(refinery, from, groups, reference, "near copies");
  begin(0, atOnce - 1);
  const withoutAll = await together;
  if (withoutAll !== null) return withoutAll;
  for (const index of singles.keys()) {
    begin(index, index + atOnce);
    const reduction = await trials.get(index)!;
    if (reduction === null) continue;
    accepted = reduction;
    droppedGroups.push(index);
    trials.clear();
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
