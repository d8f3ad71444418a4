// A second model decides the rows of a body beside the one that answers: how often both decide alike.
import { InputError } from "../../engine/input-error.ts";
import type { FileCounts } from "../../engine/watch/file-counts.ts";
import type { ModelCache } from "./model-cache.ts";
import { type RowsBody, RowsRefused, scoreBody } from "./rows-body.ts";

export interface ShadowAnswer {
  rowCount: number;
  agreedCount: number;
  /** Rows that the second model could not take, of whatever reason. */
  unansweredCount: number;
}

/** `labels`: as the first model decided. Never throws for rows or a model that cannot be used. */
export function scoreBeside(
  cache: ModelCache,
  body: RowsBody,
  shadowPath: string,
  labels: readonly string[],
  follow: (counts: FileCounts) => void,
): ShadowAnswer {
  const rowCount = labels.length;
  try {
    const { scores } = scoreBody(cache, { ...body, modelPath: shadowPath, reasonCount: 0 }, follow);
    const agreedCount = scores.filter(({ label }, at) => label === labels[at]).length;
    return { rowCount, agreedCount, unansweredCount: 0 };
  } catch (error) {
    if (!(error instanceof RowsRefused || error instanceof InputError)) throw error;
    return { rowCount: 0, agreedCount: 0, unansweredCount: rowCount };
  }
}
