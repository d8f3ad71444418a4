// Cupel for programs: sign in once, then train, refine and predict, as if the server were in this program.
import { Connection, type CupelOptions } from "./connection.ts";
import { DATASET, Dataset, type DatasetOptions, Datasets } from "./dataset.ts";
import { type Model, Models } from "./model.ts";
import { type Names, only, partOf } from "./options.ts";
import { Predictions } from "./prediction.ts";
import { REFINING, Refinement, Refinements, type RefineOptions } from "./refinement.ts";
import { SUCCEEDING, type Successor, type SuccessorOptions, Successors } from "./successor.ts";
import type { Table } from "./tables.ts";
import { TRAINING, type TrainingOptions, Trainings } from "./training.ts";

export type * from "./answers.ts";
export type { AskOptions, CupelOptions } from "./connection.ts";
export type { ColumnChoice, Dataset, DatasetOptions, Datasets, JudgingOptions } from "./dataset.ts";
export type { Download } from "./download.ts";
export type { List, ListOptions } from "./lists.ts";
export type { Model, Models, PredictOptions, VersionOptions } from "./model.ts";
export type { Label, OutcomeOptions, Outcomes } from "./outcomes.ts";
export type { Prediction, Predictions, ResultFileOptions } from "./prediction.ts";
export { CupelProblem, type FieldProblem } from "./problem.ts";
export type { KeptColumnsOptions, Refinement, Refinements, RefineOptions, TwoTablesOptions } from "./refinement.ts";
export type { Successor, SuccessorOptions, Successors } from "./successor.ts";
export type { Cell, Row, Table } from "./tables.ts";
export type { Training, TrainingOptions, Trainings } from "./training.ts";
export type { Progress, WaitOptions } from "./waiting.ts";

export interface TrainOptions extends DatasetOptions, TrainingOptions {
  /** Finds the columns that carry signal first, and trains on those; false by default. */
  refine?: boolean | undefined;
}

/** How a table is read and judged, and its columns chosen. */
export type RefiningOptions = Omit<DatasetOptions, "name"> & RefineOptions;

const TRAIN: Names<TrainOptions> = { refine: true, ...DATASET, ...TRAINING };
const REFINE: Names<RefiningOptions> = { ...DATASET, ...REFINING };

/** The dataset of a refinement is judged as that was, and lacks the columns that were left out. */
const AS_REFINED = {
  groupColumn: undefined,
  timeColumn: undefined,
  keepKeyColumns: undefined,
  withoutColumns: undefined,
};

/**
 * A Cupel server.
 *
 *     const cupel = new Cupel("http://127.0.0.1:8080", { key: "cupel_…" });
 *     const model = await cupel.train("customers.csv", { label: "left" });
 *     const [answer] = await model.predict([{ tenure: 14, plan: "basic" }]);
 */
export class Cupel {
  readonly datasets: Datasets;
  readonly refinements: Refinements;
  readonly trainings: Trainings;
  readonly models: Models;
  readonly predictions: Predictions;
  readonly successors: Successors;

  /**
   * Asks nothing of the server yet. `url` is its address, with its base path if it has one.
   *
   * @throws CupelProblem NO_CREDENTIAL, NOT_HERE
   */
  constructor(url: string | URL, options: CupelOptions) {
    const connection = new Connection(url, options);
    this.datasets = new Datasets(connection);
    this.refinements = new Refinements(connection);
    this.trainings = new Trainings(connection);
    this.models = new Models(connection);
    this.predictions = new Predictions(connection);
    this.successors = new Successors(connection);
  }

  /**
   * Trains a model on a labelled table, a dataset, or the columns that a refinement kept, and waits for it. Until there
   * is a model, `onProgress` has the keys by which the work is found again.
   *
   * @throws CupelProblem such as DATASET_FAILED or TRAINING_FAILED, or the signal's reason
   */
  async train(table: Table | Dataset | Refinement, options: TrainOptions = {}): Promise<Model> {
    const { onProgress, signal } = only(TRAIN, options);
    const waiting = { onProgress, signal };
    if (table instanceof Refinement) return this.trainOn(await table.dataset(waiting), { ...options, ...AS_REFINED });
    const dataset = await this.datasetOf(table, options);
    if (options.refine !== true) return this.trainOn(dataset, options);
    const refinement = await this.refine(dataset, waiting);
    return this.trainOn(await refinement.dataset(waiting), { ...options, ...AS_REFINED });
  }

  /**
   * Finds which columns of a labelled table or a dataset carry signal, and waits for it.
   *
   * @throws CupelProblem such as DATASET_FAILED or REFINEMENT_FAILED, or the signal's reason
   */
  async refine(table: Table | Dataset, options: RefiningOptions = {}): Promise<Refinement> {
    const { name, removeLeaks, numberOfBuckets, onProgress, signal, ...settings } = only(REFINE, options);
    const dataset = await this.datasetOf(table, { ...settings, onProgress, signal });
    const refinement = await this.refinements.start(dataset, { name, removeLeaks, numberOfBuckets, signal });
    return refinement.wait({ onProgress, signal });
  }

  /**
   * Trains a model again with rows whose labels came later (`prediction.outcomes.add`), once there are 100, and waits
   * until both models are compared.
   *
   * @throws CupelProblem such as LABELS_UNFIT or SUCCESSOR_FAILED, or the signal's reason
   */
  async trainSuccessor(model: Model, options: SuccessorOptions = {}): Promise<Successor> {
    const { onProgress, signal } = only(SUCCEEDING, options);
    return (await this.successors.start(model, options)).wait({ onProgress, signal });
  }

  private async datasetOf(table: Table | Dataset, options: DatasetOptions): Promise<Dataset> {
    return table instanceof Dataset ? table : this.datasets.create(table, partOf(DATASET, options));
  }

  private async trainOn(dataset: Dataset, options: TrainingOptions): Promise<Model> {
    const { onProgress, signal } = options;
    return (await this.trainings.start(dataset, partOf(TRAINING, options))).wait({ onProgress, signal });
  }
}
