// A training: attempts of many kinds on a dataset, of which the best become a model.

import type { ModelAbout, TrainingAbout, TrainingProgress } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { type Dataset, JUDGING, type JudgingOptions, judgingOf } from "./dataset.ts";
import { List } from "./lists.ts";
import { Model } from "./model.ts";
import { type Names, only } from "./options.ts";
import { ownProblem } from "./problem.ts";
import { Resource } from "./resource.ts";
import { polled, WAITING, type WaitOptions } from "./waiting.ts";

/** The search and the aim of a training, and how it is judged, where that differs from the dataset. */
export interface TrainingOptions extends JudgingOptions, WaitOptions {
  /** How wide to search, from 0 to 499; 19 by default. */
  scalingFactor?: number | undefined;
  /** The accuracy at which the search may end; that of a refinement by default. */
  performanceThreshold?: number | undefined;
  /** The aim of decisions; `accuracy` by default, `cost` where there are costs. */
  objective?: "accuracy" | "balanced-accuracy" | "f1" | "cost" | undefined;
  /** Costs of wrong decisions; 1 for those not named. */
  costs?: readonly { actual: string; predicted?: string; cost: number }[] | undefined;
}

export const TRAINING: Names<TrainingOptions> = {
  ...{ scalingFactor: true, performanceThreshold: true, objective: true, costs: true },
  ...{ ...JUDGING, ...WAITING },
};

export class Training extends Resource<TrainingAbout> {
  /** @internal */
  constructor(connection: Connection, about: TrainingAbout) {
    super(connection, "/api/v1/training", about.trainingJobKey, about);
  }

  /**
   * Resolves with the model once the training has ended; also below its target, or out of
   * time, where it has one: `about.status` says how it ended.
   *
   * @throws CupelProblem TRAINING_FAILED, or the signal's reason
   */
  async wait(options: WaitOptions = {}): Promise<Model> {
    const { signal } = only(WAITING, options);
    const { status, errorReason } = await polled<TrainingProgress>(this.connection, `${this.path}/progress`, options, {
      isOver: ({ nextPollAfterSeconds }) => nextPollAfterSeconds === undefined,
      show: (training) => {
        const { attemptsCompleted: done, attemptsTotal: total, elapsedSeconds, bestPerformance } = training;
        const share = total === null || total === 0 ? null : Math.min(1, done / total);
        return { stage: "training", key: this.key, share, elapsedSeconds, bestPerformance, training };
      },
    });
    const { modelKey } = await this.look({ signal });
    if (modelKey === null) {
      throw ownProblem("TRAINING_FAILED", "The training has no model", errorReason ?? `It is ${status}.`);
    }
    const about = await this.connection.json<ModelAbout>("GET", `/api/v1/models/${modelKey}`, { signal });
    return new Model(this.connection, about);
  }

  /** Ends the search; what is finished by now becomes the model. */
  async cancel(options: AskOptions = {}): Promise<void> {
    await this.connection.json("PATCH", `${this.path}/cancel`, only(ASKING, options));
  }
}

/** All trainings of the account, newest first. */
export class Trainings extends List<Training, TrainingAbout> {
  /** @internal */
  constructor(connection: Connection) {
    super(connection, "/api/v1/training", "trainingJobs");
  }

  /** Begins one on a dataset, and does not wait. @throws CupelProblem, or the signal's reason */
  async start(dataset: Dataset, options: TrainingOptions = {}): Promise<Training> {
    const { scalingFactor, performanceThreshold, objective, costs, signal } = only(TRAINING, options);
    const json = { scalingFactor, performanceThreshold, objective, costs, ...judgingOf(options) };
    const sent = { json, creates: true, signal };
    const path = `/api/v1/training/datasets/${dataset.key}`;
    const { trainingJobKey } = await this.connection.json<TrainingAbout>("POST", path, sent);
    return this.get(trainingJobKey, { signal });
  }

  /** @internal */
  protected itemOf(about: TrainingAbout): Training {
    return new Training(this.connection, about);
  }
}
