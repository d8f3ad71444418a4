// A model with the evidence behind it, as its screens need both.
import type { ModelDetails } from "../api/model-details.ts";
import type { ModelDetail } from "../api/models.ts";
import { models } from "./api.ts";
import { Problem } from "./problem.ts";

export interface WholeModel {
  model: ModelDetail;
  /** Null where nothing but its figures is kept. */
  details: ModelDetails | null;
}

/** @throws Problem NOT_FOUND for a model that is not there */
export async function loadModel(key: string, signal: AbortSignal): Promise<WholeModel> {
  const model = await models.get(key, signal);
  try {
    return { model, details: await models.details(key, signal) };
  } catch (error) {
    if (error instanceof Problem && error.code === "NOT_FOUND") return { model, details: null };
    throw error;
  }
}
