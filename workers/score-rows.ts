// A large body of rows, scored on a thread: from its bytes to the bytes of the answer.
import { ModelCache } from "./model-cache.ts";
import { type LargeBody, type LargeBodyAnswer, RowsRefused, scoreBody } from "./rows-body.ts";

/** Holds one model: bodies come one after the other, and often for the same. */
const cache = new ModelCache(0);

/** Throws InputError where the model's file cannot be used. */
export function scoreLargeBody(request: LargeBody): LargeBodyAnswer {
  const sizeBytes = request.bytes.length;
  try {
    const { scores, warnings } = scoreBody(cache, request);
    const answer = JSON.stringify({ ...request.head, predictions: scores, warnings });
    return { sizeBytes, bytes: new TextEncoder().encode(answer) };
  } catch (error) {
    if (error instanceof RowsRefused) return { sizeBytes, refusal: error.refusal };
    throw error;
  }
}
