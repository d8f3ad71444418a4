// Trainings that follow a refinement: planned, started by the server step by step, cancelled, failed (D106).
import { and, eq, inArray, sql } from "drizzle-orm";
import { type Database, perDatabase } from "../database/database.ts";
import { datasets, plannedTrainings, refinements } from "../database/schema.ts";

export type PlannedTraining = typeof plannedTrainings.$inferSelect;

export type NewPlannedTraining = Pick<
  PlannedTraining,
  "refinementKey" | "userKey" | "sourceDatasetKey" | "scalingFactor"
>;

/** The fields that a step changes. */
export type PlanStep =
  | { status: "PREPARING"; datasetKey: string }
  | { status: "STARTED"; trainingJobKey: string }
  | { status: "CANCELLED" | "FAILED"; errorReason: string | null };

const isOpen = sql`${plannedTrainings.status} IN ('WAITING', 'PREPARING')`;

const statements = perDatabase((orm) => {
  const isRefined = sql`${plannedTrainings.status} = 'WAITING' AND (${refinements.finishedOn} IS NOT NULL OR ${refinements.deletedOn} IS NOT NULL)`;
  const isRead = sql`${plannedTrainings.status} = 'PREPARING' AND (${datasets.status} IN ('COMPLETED', 'FAILED') OR ${datasets.deletedOn} IS NOT NULL)`;
  return {
    of: orm
      .select()
      .from(plannedTrainings)
      .where(eq(plannedTrainings.refinementKey, sql.placeholder("refinementKey")))
      .prepare(),
    due: orm
      .select({ refinementKey: plannedTrainings.refinementKey })
      .from(plannedTrainings)
      .innerJoin(refinements, eq(refinements.key, plannedTrainings.refinementKey))
      .leftJoin(datasets, eq(datasets.key, plannedTrainings.datasetKey))
      // Word for word the condition of the partial index.
      .where(sql`${isOpen} AND ((${isRefined}) OR (${isRead}))`)
      .orderBy(plannedTrainings.id)
      .prepare(),
  };
});

/**
 * WAITING. One that was cancelled or failed waits anew; one that waits, is being prepared or
 * has started stays as it is. Returns the plan as it is then.
 */
export function planTraining(database: Database, plan: NewPlannedTraining, now: Date): PlannedTraining {
  return database.write(() => {
    const anew = { status: "WAITING", errorReason: null, scalingFactor: plan.scalingFactor } as const;
    database.orm
      .insert(plannedTrainings)
      .values({ ...plan, ...anew, createdOn: now.toISOString() })
      .onConflictDoUpdate({
        target: plannedTrainings.refinementKey,
        set: anew,
        setWhere: sql`${plannedTrainings.status} IN ('CANCELLED', 'FAILED')`,
      })
      .run();
    return findPlannedTraining(database, plan.refinementKey)!;
  });
}

/** Finds the planned training of a refinement of any owner. */
export function findPlannedTraining(database: Database, refinementKey: string): PlannedTraining | null {
  return statements(database).of.get({ refinementKey }) ?? null;
}

/** By the keys of their refinements. */
export function plannedTrainingsOf(
  database: Database,
  refinementKeys: readonly string[],
): ReadonlyMap<string, PlannedTraining> {
  const rows = database.orm
    .select()
    .from(plannedTrainings)
    .where(inArray(plannedTrainings.refinementKey, [...refinementKeys]))
    .all();
  return new Map(rows.map((row) => [row.refinementKey, row]));
}

/**
 * Plans whose next step can be taken: their refinement, or the dataset made
 * of it, has ended or is deleted. Oldest first.
 */
export function duePlannedTrainings(database: Database): string[] {
  return statements(database)
    .due.all()
    .map(({ refinementKey }) => refinementKey);
}

/** Takes a step from a status. False where the plan has another by then: nothing happens twice. */
export function stepPlannedTraining(
  database: Database,
  { refinementKey, status }: Pick<PlannedTraining, "refinementKey" | "status">,
  step: PlanStep,
): boolean {
  const changed = database.orm
    .update(plannedTrainings)
    .set(step)
    .where(and(eq(plannedTrainings.refinementKey, refinementKey), eq(plannedTrainings.status, status)))
    .returning({ id: plannedTrainings.id });
  return changed.get() !== undefined;
}

/**
 * The refinement goes on; no training follows it. NOT_CANCELLABLE once the
 * training is there. NONE where nothing was planned.
 */
export function cancelPlannedTraining(
  database: Database,
  refinementKey: string,
): "CANCELLED" | "NOT_CANCELLABLE" | "NONE" {
  return database.write(() => {
    const plan = findPlannedTraining(database, refinementKey);
    if (plan === null || plan.status === "CANCELLED" || plan.status === "FAILED") return "NONE";
    if (plan.status === "STARTED") return "NOT_CANCELLABLE";
    stepPlannedTraining(database, plan, { status: "CANCELLED", errorReason: null });
    return "CANCELLED";
  });
}
