// Scores a large body of rows on a thread, from its bytes to the bytes of the answer.
import type { FileCounts } from "../../engine/watch/file-counts.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { ModelCache } from "./model-cache.ts";
import { type RowsBody, type RowsRefusal, RowsRefused, scoreBody } from "./rows-body.ts";
import { type ShadowAnswer, scoreBeside } from "./shadow-rows.ts";

/** A body that is scored on a thread. */
export interface LargeBody extends RowsBody {
  /** Fields of the answer before its predictions. */
  head: Readonly<Record<string, unknown>>;
  /** The file of a model that decides the rows too, without answering; null for none. */
  shadowPath: string | null;
}

/** The answer's JSON, or why there is none. */
export type LargeBodyAnswer = { sizeBytes: number } & (
  | {
      bytes: Uint8Array<ArrayBuffer>;
      counts: ScoredCounts | null;
      /** Null where none was asked for. */
      shadow: { answer: ShadowAnswer; counts: ScoredCounts | null } | null;
    }
  | { refusal: RowsRefusal }
);

/** Takes what a scorer counted of the rows of one body. */
class CountedRows {
  private source: FileCounts | null = null;
  readonly follow = (source: FileCounts): void => {
    this.source = source;
  };

  take(): ScoredCounts | null {
    return this.source?.take() ?? null;
  }
}

/** The cache of a thread holds one model: bodies come one after the other, often for the same model. */
let ownCache: ModelCache | undefined;
let shadowCache: ModelCache | undefined;

/**
 * Scores a large body on a thread, from its bytes to the bytes of the answer. @throws InputError for the model's file
 */
export function scoreLargeBody(request: LargeBody): LargeBodyAnswer {
  const sizeBytes = request.bytes.length;
  try {
    ownCache ??= new ModelCache({ mostBytes: 0, countsRows: true });
    const counted = new CountedRows();
    const { scores, warnings } = scoreBody(ownCache, request, counted.follow);
    const answer = JSON.stringify({ ...request.head, predictions: scores, warnings });
    const shadow = scoreShadow(
      request,
      scores.map(({ label }) => label),
    );
    return { sizeBytes, bytes: new TextEncoder().encode(answer), counts: counted.take(), shadow };
  } catch (error) {
    if (error instanceof RowsRefused) return { sizeBytes, refusal: error.refusal };
    throw error;
  }
}

function scoreShadow(request: LargeBody, labels: readonly string[]) {
  if (request.shadowPath === null) return null;
  shadowCache ??= new ModelCache({ mostBytes: 0, countsRows: true });
  const counted = new CountedRows();
  const answer = scoreBeside(shadowCache, request, request.shadowPath, labels, counted.follow);
  return { answer, counts: counted.take() };
}
