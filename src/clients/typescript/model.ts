// A model: score rows or files with it, take it along in its forms, choose its version.

import type { ModelAbout, ModelDetail, PredictionAbout, RowPrediction } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { jsonCell, type Row } from "./csv.ts";
import { Download } from "./download.ts";
import { List } from "./lists.ts";
import { type Names, only } from "./options.ts";
import { Prediction } from "./prediction.ts";
import { CupelProblem, ownProblem } from "./problem.ts";
import { Resource } from "./resource.ts";
import { blobOf, type Table } from "./tables.ts";
import { LARGE_BYTES, type UploadTarget, type UploadWay, upload } from "./upload.ts";
import { WAITING, type WaitOptions } from "./waiting.ts";

export interface PredictOptions extends WaitOptions {
  /** Columns named for each row that moved its decision the most; none by default. */
  reasons?: number | undefined;
  /** False if the first row of the file is data. */
  hasHeader?: boolean | undefined;
}

const PREDICTING: Names<PredictOptions> = { reasons: true, hasHeader: true, ...WAITING };

export interface VersionOptions {
  /** The champion unless one is named. */
  version?: number;
}

const CHOOSING: Names<VersionOptions> = { version: true };

type Asked = Pick<PredictOptions, "reasons" | "hasHeader">;

/** The most rows of one request; more rows go in several. */
const MOST_ROWS = 1_000;
/** Below the server's limit of 8 MiB. */
const MOST_ROWS_CHARACTERS = 2_000_000;
const FORMATS = { cupel: "cupel", onnx: "onnx" } as const;

/** The models that a training kept: up to three versions, of which the champion predicts. */
export class Model extends Resource<ModelAbout, ModelDetail> {
  /** @internal */
  constructor(connection: Connection, about: ModelAbout) {
    super(connection, "/api/v1/models", about.modelKey, about);
  }

  /** A row to begin with, as `predict` takes it: one of the first of the training file, without its label. */
  async example(options: AskOptions = {}): Promise<Row> {
    return (await this.connection.json<{ row: Row }>("GET", `${this.path}/example-row`, only(ASKING, options))).row;
  }

  /**
   * Rows are scored at once, and their answers come in the same order. Any other table is sent as a file: the result is
   * a prediction that is done, with `rows()` and `file()`.
   *
   * @throws CupelProblem such as COLUMN_MISMATCH or PREDICTION_FAILED, or the signal's reason
   */
  predict(rows: readonly Row[], options?: PredictOptions): Promise<RowPrediction[]>;
  predict(table: Exclude<Table, readonly Row[]>, options?: PredictOptions): Promise<Prediction>;
  async predict(table: Table, options: PredictOptions = {}): Promise<RowPrediction[] | Prediction> {
    const { onProgress, signal } = only(PREDICTING, options);
    if (Array.isArray(table)) return this.scoreRows(table, options);
    const prediction = await this.send(table as Exclude<Table, readonly Row[]>, options);
    return prediction.wait({ onProgress, signal });
  }

  /** Sends a file to be scored, and does not wait. @throws CupelProblem, or the signal's reason */
  async send(table: Exclude<Table, readonly Row[]>, options: PredictOptions = {}): Promise<Prediction> {
    const { reasons, hasHeader, signal, onProgress } = only(PREDICTING, options);
    const { blob, name } = await blobOf(table, signal);
    const progress = { stage: "uploading", key: this.key, elapsedSeconds: 0, bestPerformance: null } as const;
    const way = { onShare: (share: number) => onProgress?.({ ...progress, share }), signal };
    const asked = { reasons, hasHeader };
    const predictionKey =
      (blob.size < LARGE_BYTES ? null : await this.sendLarge(blob, asked, way)) ??
      (await this.sendForm(blob, name, asked, way));
    const path = `/api/v1/predictions/${predictionKey}`;
    return new Prediction(this.connection, await this.connection.json<PredictionAbout>("GET", path, { signal }));
  }

  /**
   * The file of a version, the champion unless one is named: for `cupel predict`, or the readers of other languages.
   */
  file(options: VersionOptions = {}): Download {
    return this.export("cupel", options);
  }

  /** A version in a form for other programs: `cupel`, its own, or `onnx`. */
  export(format: "cupel" | "onnx", options: VersionOptions = {}): Download {
    const { version = this.about.version } = only(CHOOSING, options);
    if (!Object.hasOwn(FORMATS, format)) {
      throw ownProblem("NOT_HERE", "No such form", `The server gives cupel or onnx; cupel export makes others.`);
    }
    const path = `${this.path}/versions/${version}/file`;
    const name = `${this.key}-v${version}.${format}`;
    return new Download(this.connection, name, path, format === "cupel" ? {} : { format });
  }

  /** The report of the training as one page of HTML. */
  report(options: VersionOptions = {}): Download {
    const { version = this.about.version } = only(CHOOSING, options);
    return new Download(this.connection, `${this.key}-report.html`, `${this.path}/versions/${version}/report`);
  }

  /** Lets another version predict from now on. */
  async choose(version: number, options: AskOptions = {}): Promise<ModelDetail> {
    const { signal } = only(ASKING, options);
    const path = `/api/v1/training/${this.about.trainingJobKey}/champion`;
    const detail = await this.connection.json<ModelDetail>("POST", path, { json: { version }, signal });
    this.about = detail;
    return detail;
  }

  /** Deletes all its versions. */
  async delete(options: AskOptions = {}): Promise<void> {
    await this.connection.json("DELETE", this.path, only(ASKING, options));
  }

  private async sendForm(blob: Blob, name: string, { reasons, hasHeader }: Asked, way: UploadWay): Promise<string> {
    const { onShare, signal } = way;
    const form = new FormData();
    if (hasHeader !== undefined) form.append("hasHeader", String(hasHeader));
    form.append("file", blob, name);
    onShare(0);
    const path = `/api/v1/predictions/models/${this.key}`;
    const sent = { body: form, sizeBytes: blob.size, query: { reasons }, creates: true, signal };
    const { predictionKey } = await this.connection.json<{ predictionKey: string }>("POST", path, sent);
    onShare(1);
    return predictionKey;
  }

  /** Null where the server takes no files in pieces, or has no such model. */
  private async sendLarge(blob: Blob, json: Asked, way: UploadWay): Promise<string | null> {
    type Prepared = { predictionKey: string; predictionUploadInfo: UploadTarget };
    const path = `/api/v1/predictions/models/${this.key}/uploads`;
    try {
      const sent = { json, creates: true, signal: way.signal };
      const prepared = await this.connection.json<Prepared>("POST", path, sent);
      await upload(this.connection, prepared.predictionUploadInfo, blob, way);
      return prepared.predictionKey;
    } catch (error) {
      if (error instanceof CupelProblem && (error.status === 404 || error.status === 405)) return null;
      throw error;
    }
  }

  private async scoreRows(rows: readonly Row[], { reasons, signal }: PredictOptions): Promise<RowPrediction[]> {
    const answers: RowPrediction[] = [];
    const path = `/api/v1/predictions/models/${this.key}/rows`;
    for (const part of partsOf(rows)) {
      // Nothing is stored, so the request may be repeated as it is.
      const sent = { json: { rows: part }, query: { reasons }, signal };
      answers.push(...(await this.connection.json<{ predictions: RowPrediction[] }>("POST", path, sent)).predictions);
    }
    return answers;
  }
}

/** All models of the account, newest first. */
export class Models extends List<Model, ModelAbout> {
  /** @internal */
  constructor(connection: Connection) {
    super(connection, "/api/v1/models", "models");
  }

  /** @internal */
  protected itemOf(about: ModelAbout): Model {
    return new Model(this.connection, about);
  }
}

/** Rows as JSON has them, in parts that the server takes. */
function* partsOf(rows: readonly Row[]): Generator<object[]> {
  let part: object[] = [];
  let characters = 0;
  for (const row of rows) {
    const cells = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, jsonCell(cell)]));
    const size = JSON.stringify(cells).length;
    if (part.length === MOST_ROWS || (part.length > 0 && characters + size > MOST_ROWS_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(cells);
    characters += size;
  }
  if (part.length > 0) yield part;
}
