// The schemas of statuses and kinds, as components of the OpenAPI document.
import { DATASET_STATUSES, FILE_KINDS, PREDICTION_STATUSES, TRAINING_STATUSES } from "../../data/database/states.ts";
import { OBJECTIVES } from "../../engine/judging/objective.ts";
import { named, oneOf } from "../http/schemas.ts";

export const DatasetStatus = oneOf(DATASET_STATUSES, { description: "Poll until COMPLETED or FAILED." });
export const TrainingStatus = oneOf(TRAINING_STATUSES);
export const PredictionStatus = oneOf(PREDICTION_STATUSES);
export const FileKind = oneOf(FILE_KINDS);
export const ObjectiveName = oneOf(OBJECTIVES, { description: "What decisions aim at and versions are ranked by." });
named({ DatasetStatus, TrainingStatus, PredictionStatus, FileKind, Objective: ObjectiveName });
