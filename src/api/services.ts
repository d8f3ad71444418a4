// The services that routes use.
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import type { OutcomeCounts } from "../../engine/outcomes/outcomes.ts";
import type { CountOutcomesRequest } from "../../workers/count-outcomes.ts";
import type { LargeBody, LargeBodyAnswer } from "../../workers/scoring/large-body.ts";
import type { ModelCache } from "../../workers/scoring/model-cache.ts";
import type { Bearers } from "../auth/bearer.ts";
import type { LoginLimit } from "../auth/login-limit.ts";
import type { RequestLimit } from "../auth/request-limit.ts";
import type { SignedUrls } from "../auth/signed-urls.ts";
import type { TimeCaps } from "../common/limits.ts";
import type { MemoryLimits } from "../common/memory-budget.ts";
import type { Surroundings } from "../routing/answer.ts";
import type { Quotas } from "../storage/quotas.ts";
import type { RowCounts } from "../watching/row-counts.ts";
import type { UploadServices } from "./uploads/uploads.ts";

/** Made once by `cupel serve`. */
export interface Services extends UploadServices {
  database: Database;
  state: StateFolder;
  now(): Date;
  version: string;
  log: Pick<Surroundings, "onFault" | "onAnswer">;
  /** The present figures in the text format of Prometheus. */
  showFigures(): string;

  bearers: Bearers;
  loginLimit: LoginLimit;
  requestLimit: RequestLimit;
  signedUrls: SignedUrls;

  quotas: Quotas;
  memory: MemoryLimits;
  timeCaps: TimeCaps;
  /** Threads of a job. */
  workers: number;
  modelCache: ModelCache;
  largeRows: LargeRows;
  /** Takes what was counted of rows; null where nothing is watched (D120). */
  rowCounts: Pick<RowCounts, "add" | "addShadow" | "follow" | "flush"> | null;
  modelExports: ModelExports;
  outcomeCounting: OutcomeCounting;

  /** Tells the scheduler that a job waits. */
  wake(): void;
  /** Time that a running job has taken so far; null for any other. */
  elapsedMs(key: string): number | null;
  /** Why a running job waits; null while it works, and for any other job. */
  waitingReason(key: string): string | null;
  /** Stops the flow of a job that was cancelled or deleted, if it runs. */
  stopFlow(key: string): void;
}

/** Makes files of models for other programs. */
export interface ModelExports {
  /**
   * A model as ONNX, with operators for trees of version `ml`. Waits for its turn.
   *
   * @throws ApiError NOT_EXPORTABLE, MEMORY_BUDGET, BUSY, UNAVAILABLE; InputError for the model's file
   */
  onnx(modelPath: string, ml: 2 | 5): Promise<{ sizeBytes: number; body: ReadableStream<Uint8Array> }>;
  /** Ends the thread; later exports are refused. */
  close(): void;
}

/** Counts labels that came later beside what was predicted. */
export interface OutcomeCounting {
  /** Waits for its turn. @throws ApiError BUSY, UNAVAILABLE; InputError for the files */
  count(request: CountOutcomesRequest): Promise<OutcomeCounts>;
  /** Ends the thread; later files are refused. */
  close(): void;
}

/** Receives and scores bodies above MOST_JSON_BYTES. */
export interface LargeRows {
  /**
   * Receives a body and passes its bytes to `use`; they count as under way until that ends.
   *
   * @throws ApiError BUSY where too many bytes are under way, BODY_TOO_LARGE, UPLOAD_INTERRUPTED, REQUEST_TOO_SLOW
   */
  receive<T>(
    request: Request,
    keepAlive: (seconds: number) => void,
    use: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T>;
  /** Waits for its turn. @throws ApiError UNAVAILABLE; InputError for the model's file */
  score(body: LargeBody): Promise<LargeBodyAnswer>;
  /** Ends the thread; later bodies are refused. */
  close(): void;
}
