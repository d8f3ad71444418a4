// Labels that come after a prediction: tell them, see what they say of it and of its model, take them back.
import type { PredictionOutcomes } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import type { Row } from "./csv.ts";
import { type Names, only } from "./options.ts";
import { blobOf, type Table } from "./tables.ts";
import { WAITING, type WaitOptions } from "./waiting.ts";

/** The true label of a row; null and undefined where it is not known yet. */
export type Label = string | number | boolean | null | undefined;

export interface OutcomeOptions extends WaitOptions {
  /** The column of the labels; by default the one named as the model's label, or the only one beside the keys. */
  labelColumn?: string | undefined;
  /**
   * A column of both files that names their rows; by default that of the
   * prediction. Empty: the rows stand in the predicted order.
   */
  keyColumn?: string | undefined;
  /** False if the first row of the file is data. */
  hasHeader?: boolean | undefined;
}

const TELLING: Names<OutcomeOptions> = { labelColumn: true, keyColumn: true, hasHeader: true, ...WAITING };

/** The labels that came for a prediction. */
export class Outcomes {
  private readonly connection: Connection;
  private readonly predictionKey: string;
  private readonly path: string;

  /** @internal */
  constructor(connection: Connection, predictionKey: string) {
    this.connection = connection;
    this.predictionKey = predictionKey;
    this.path = `/api/v1/predictions/${predictionKey}/outcomes`;
  }

  /**
   * Tells what the rows really were, in place of all labels that came before, and returns what
   * that says. A list of labels has one for each predicted row, in their order; a table may
   * have a key column instead, and then only some of the rows.
   *
   * @throws CupelProblem such as FILE_UNUSABLE, NOT_READY or FILE_REMOVED, or the signal's reason
   */
  async add(labels: Table | readonly Label[], options: OutcomeOptions = {}): Promise<PredictionOutcomes> {
    const { labelColumn, keyColumn, hasHeader, onProgress, signal } = only(TELLING, options);
    const isList = isListOfLabels(labels);
    const { blob, name } = await blobOf(isList ? labels.map((label): Row => ({ label })) : labels, signal);
    const form = new FormData();
    // A list has no keys, whatever column the prediction was made with.
    const fields = { labelColumn, keyColumn: keyColumn ?? (isList ? "" : undefined), hasHeader };
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.append(field, String(value));
    form.append("file", blob, name);
    const progress = { stage: "uploading", key: this.predictionKey, elapsedSeconds: 0, bestPerformance: null } as const;
    onProgress?.({ ...progress, share: 0 });
    // Sent again after a lost answer, it replaces what it was itself.
    const sent = { body: form, sizeBytes: blob.size, signal };
    const told = await this.connection.json<PredictionOutcomes>("POST", this.path, sent);
    onProgress?.({ ...progress, share: 1 });
    return told;
  }

  /** The labels added up, if there are any. @throws CupelProblem, or the signal's reason */
  async get(options: AskOptions = {}): Promise<PredictionOutcomes> {
    return this.connection.json("GET", this.path, only(ASKING, options));
  }

  /** Takes the labels out of every figure. @throws CupelProblem, or the signal's reason */
  async delete(options: AskOptions = {}): Promise<void> {
    await this.connection.json("DELETE", this.path, only(ASKING, options));
  }
}

function isListOfLabels(labels: Table | readonly Label[]): labels is readonly Label[] {
  return Array.isArray(labels) && labels.length > 0 && labels.every((one) => one === null || typeof one !== "object");
}
