// Labels that came after predictions: set, find, delete; and what those of a version add up to.
//
// A version's figures are computed from the rows of its predictions, never kept
// beside them: they cannot be doubled, nor get lost.
import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { OutcomeCounts } from "../engine/outcomes/outcomes.ts";
import type { Database } from "./database/database.ts";
import { predictions } from "./database/schema.ts";
import { predictionOutcomes } from "./database/watch-schema.ts";
import { findOwnedPrediction } from "./predictions.ts";
import { judgeAgain, type VersionId } from "./watch-counts.ts";

export type PredictionOutcomes = typeof predictionOutcomes.$inferSelect;

export type NewOutcomes = Pick<
  PredictionOutcomes,
  "predictionKey" | "path" | "bytes" | "labelColumn" | "keyColumn" | "asTrained" | "counts"
> &
  Partial<Pick<PredictionOutcomes, "hasHeader">>;

/**
 * Puts labels in the place of those that the prediction has. Returns the path of these, which no row names any more, or
 * null. NOT_FOUND where the user has no such prediction, or its result is gone by now.
 */
export function setOutcomes(
  database: Database,
  userKey: string,
  outcomes: NewOutcomes,
  now: Date,
): { replacedPath: string | null } | "NOT_FOUND" {
  return database.write(() => {
    const prediction = findOwnedPrediction(database, userKey, outcomes.predictionKey);
    if (prediction === null || prediction.resultPath === null) return "NOT_FOUND";
    const { modelKey, version } = prediction;
    const replacedPath = findOutcomes(database, outcomes.predictionKey)?.path ?? null;
    const values = { ...outcomes, userKey, modelKey, version, addedOn: now.toISOString() };
    database.orm
      .insert(predictionOutcomes)
      .values(values)
      .onConflictDoUpdate({ target: predictionOutcomes.predictionKey, set: values })
      .run();
    judgeAgain(database, { modelKey, version }, now);
    return { replacedPath };
  });
}

/** Null where the prediction has no labels. */
export function findOutcomes(database: Database, predictionKey: string): PredictionOutcomes | null {
  const isOfPrediction = eq(predictionOutcomes.predictionKey, predictionKey);
  return database.orm.select().from(predictionOutcomes).where(isOfPrediction).get() ?? null;
}

/** Takes the labels of a prediction away: they count nowhere any more. Returns what was there. */
export function removeOutcomes(database: Database, predictionKey: string, now: Date): PredictionOutcomes | null {
  const isOfPrediction = eq(predictionOutcomes.predictionKey, predictionKey);
  return database.write(() => {
    const removed = database.orm.delete(predictionOutcomes).where(isOfPrediction).returning().get() ?? null;
    if (removed !== null) judgeAgain(database, removed, now);
    return removed;
  });
}

/**
 * Lists the labels of a version's predictions in the order in which they came. `scoredOn`: when the rows were scored.
 */
export function listOutcomes(
  database: Database,
  { modelKey, version }: VersionId,
): { addedOn: string; scoredOn: string; asTrained: boolean; counts: OutcomeCounts }[] {
  const { addedOn, asTrained, counts, predictionKey } = predictionOutcomes;
  const scoredOn = sql<string>`coalesce(${predictions.finishedOn}, ${addedOn})`;
  return database.orm
    .select({ addedOn, scoredOn, asTrained, counts })
    .from(predictionOutcomes)
    .innerJoin(predictions, eq(predictions.key, predictionKey))
    .where(and(eq(predictionOutcomes.modelKey, modelKey), eq(predictionOutcomes.version, version)))
    .orderBy(addedOn, predictionKey)
    .all();
}

export interface LabelledPrediction {
  predictionKey: string;
  modelKey: string;
  fileName: string | null;
  inputBytes: number;
  counts: OutcomeCounts;
}

/** A user's predictions of these models whose rows and labels can still be read, oldest first. */
export function listLabelledPredictions(
  database: Database,
  userKey: string,
  modelKeys: readonly string[],
): LabelledPrediction[] {
  const { key, modelKey, fileName, inputBytes, createdOn, id } = predictions;
  return database.orm
    .select({ predictionKey: key, modelKey, fileName, inputBytes, counts: predictionOutcomes.counts })
    .from(predictions)
    .innerJoin(predictionOutcomes, eq(predictionOutcomes.predictionKey, key))
    .where(isLabelled(userKey, modelKeys))
    .orderBy(asc(createdOn), asc(id))
    .all()
    .map((row) => ({ ...row, inputBytes: row.inputBytes ?? 0 }));
}

function isLabelled(userKey: string, modelKeys: readonly string[]) {
  const { modelKey, deletedOn, inputPath } = predictions;
  return and(
    eq(predictions.userKey, userKey),
    inArray(modelKey, [...modelKeys]),
    isNull(deletedOn),
    isNotNull(inputPath),
    isNotNull(predictionOutcomes.path),
  );
}

/** Drops the files of labels; what was counted stays. Returns their paths. */
export function releaseOutcomeFiles(database: Database, predictionKeys: string[]): string[] {
  const haveFile = and(inArray(predictionOutcomes.predictionKey, predictionKeys), isNotNull(predictionOutcomes.path));
  const { path } = predictionOutcomes;
  const found = database.orm.select({ path }).from(predictionOutcomes).where(haveFile).all();
  database.orm.update(predictionOutcomes).set({ path: null, bytes: null }).where(haveFile).run();
  return found.map((row) => row.path!);
}
