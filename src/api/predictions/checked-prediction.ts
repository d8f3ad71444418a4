// Makes predictions of files that have arrived: a file's columns are checked against the model first.
import type { NewAuditEvent } from "../../../data/audit.ts";
import { findDataset, keptColumnsOf } from "../../../data/datasets.ts";
import { findAnswering } from "../../../data/model-lines.ts";
import { findOwnedModel, type ModelVersion } from "../../../data/models.ts";
import { insertPrediction, type NewPrediction, type Prediction } from "../../../data/predictions.ts";
import { scoringNeed } from "../../../engine/memory/scoring-need.ts";
import { ColumnMismatch, mismatchErrors } from "../../../engine/scoring/column-mismatch.ts";
import { requireJobBytes } from "../../common/memory-budget.ts";
import { MOST_UPLOAD_BYTES } from "../../http/limits.ts";
import { ApiError, found, noSuch, refuse } from "../../http/problem.ts";
import { checkPredictionFile, modelColumns, modelSize } from "../../jobs/prediction-file.ts";
import { championOf } from "../models/models.ts";
import type { Services } from "../services.ts";

/** The champion of the model that answers at the moment, and the columns that a refinement had and kept. */
export interface AnsweringVersion extends ModelVersion {
  originalColumns: readonly string[] | null;
  keptColumns: readonly string[] | undefined;
}

/**
 * Finds what will score a file, before the file is there.
 * @throws ApiError NOT_FOUND, FILTER_NOT_APPLICABLE; MemoryExceeded
 */
export function requireAnswering(
  { database, state, memory }: Pick<Services, "database" | "state" | "memory">,
  request: { userKey: string; modelKey: string; filterColumns: boolean; reasons: number },
): AnsweringVersion {
  const answering = found("model", findAnswering(database, request.userKey, request.modelKey));
  const detail = found("model", findOwnedModel(database, request.userKey, answering.modelKey));
  const dataset = findDataset(database, detail.model.datasetKey);
  const originalColumns = dataset?.originalColumns ?? null;
  if (request.filterColumns && originalColumns === null) {
    throw new ApiError("FILTER_NOT_APPLICABLE", "The model's dataset did not come from a refinement.", {
      errors: [{ field: "filterColumns", code: "FILTER_NOT_APPLICABLE", message: "It must be false for this model." }],
    });
  }
  const champion = championOf(detail);
  const model = modelSize(state.locate(champion.filePath));
  requireJobBytes(scoringNeed(model, MOST_UPLOAD_BYTES, request.reasons > 0), "light", memory);
  return { ...champion, originalColumns, keptColumns: keptColumnsOf(dataset) };
}

type RequestedPrediction = Omit<NewPrediction, "version" | "hasHeader"> & { hasHeader: boolean };

/**
 * Checks the file and makes the prediction; the caller removes the file where this throws.
 *
 * @param field what the file is called in the errors of a problem
 * @param write runs the insertion in a transaction, and records the event
 * @throws ApiError COLUMN_MISMATCH, NOT_FOUND; InputError of the file
 */
export function insertChecked<T>(
  services: Pick<Services, "database" | "state" | "now">,
  requested: RequestedPrediction,
  { modelKey: answeringKey, version, filePath, originalColumns, keptColumns }: AnsweringVersion,
  field: string,
  write: (insert: () => Prediction, eventOf: () => NewAuditEvent) => T,
): T {
  const { database, state, now } = services;
  const { key, userKey, modelKey, inputPath, filterColumns, hasHeader, keyColumn = null } = requested;
  const askedModelKey = answeringKey === modelKey ? null : modelKey;
  try {
    const columns = modelColumns(state.locate(filePath));
    checkPredictionFile(state.locate(inputPath), columns, {
      hasHeader,
      originalColumns: filterColumns ? originalColumns : null,
      keptColumns,
      keyColumn,
    });
    const prediction = { ...requested, modelKey: answeringKey, askedModelKey, version };
    return write(
      () => insertPrediction(database, prediction, now()) ?? refuse(noSuch("model")),
      () => ({ action: "PREDICTION_CREATED", objectKey: key }),
    );
  } catch (error) {
    // The model, and its file, may have been deleted meanwhile.
    if (findOwnedModel(database, userKey, modelKey) === null) throw noSuch("model");
    if (!(error instanceof ColumnMismatch)) throw error;
    throw new ApiError("COLUMN_MISMATCH", error.message, { errors: mismatchErrors(error, field) });
  }
}
