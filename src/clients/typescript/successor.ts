// A successor: a model that learns rows whose labels came later, and is compared with the one before it, the champion.

import type { ModelAbout, SuccessorAbout, SuccessorComparison } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { List } from "./lists.ts";
import { Model } from "./model.ts";
import { type Names, only } from "./options.ts";
import type { Prediction } from "./prediction.ts";
import { ownProblem } from "./problem.ts";
import { Resource } from "./resource.ts";
import { type Progress, polled, WAITING, type WaitOptions } from "./waiting.ts";

export interface SuccessorOptions extends WaitOptions {
  /** Whose labelled rows to learn from; by default those of the model that answers. */
  predictions?: readonly Prediction[] | undefined;
  /** How many rows of the model's dataset to learn from, its last ones; all by default, 0 for the new rows alone. */
  oldRows?: number | undefined;
  /** `WHEN_BETTER` promotes it by itself if a test finds it better by the model's objective; `BY_HAND` by default. */
  promote?: "BY_HAND" | "WHEN_BETTER" | undefined;
}

export const SUCCEEDING: Names<SuccessorOptions> = { predictions: true, oldRows: true, promote: true, ...WAITING };

const PATH = "/api/v1/successors";
const STAGES: Readonly<Record<string, Progress["stage"]>> = {
  JOINING: "joining",
  READING: "reading",
  TRAINING: "training",
  COMPARING: "comparing",
};

export class Successor extends Resource<SuccessorAbout> {
  /** @internal */
  constructor(connection: Connection, about: SuccessorAbout) {
    super(connection, PATH, about.successorKey, about);
  }

  /** Resolves once both models are compared. @throws CupelProblem SUCCESSOR_FAILED, or the signal's reason */
  async wait(options: WaitOptions = {}): Promise<this> {
    const progress = { key: this.key, elapsedSeconds: 0, bestPerformance: null };
    this.about = await polled<SuccessorAbout>(this.connection, this.path, only(WAITING, options), {
      isOver: ({ status }) => !Object.hasOwn(STAGES, status),
      show: ({ status }) => {
        return { ...progress, stage: STAGES[status] ?? "comparing", share: status === "COMPLETED" ? 1 : null };
      },
    });
    const { status, errorReason } = this.about;
    if (status === "COMPLETED") return this;
    throw ownProblem("SUCCESSOR_FAILED", "The successor has failed", errorReason ?? `It is ${status}.`);
  }

  /** How both models decide the rows that were kept aside. @throws CupelProblem NOT_READY where it is not known yet */
  get comparison(): SuccessorComparison {
    const { comparison } = this.about;
    if (comparison === null) throw notReady("Both models are not compared yet. Call wait().");
    return comparison;
  }

  /** The model that it trained. @throws CupelProblem NOT_READY where there is none yet, or the signal's reason */
  async model(options: AskOptions = {}): Promise<Model> {
    return this.modelOf(this.challengerKey(), options);
  }

  /** The model before it. */
  async champion(options: AskOptions = {}): Promise<Model> {
    return this.modelOf(this.about.champion.modelKey, options);
  }

  /**
   * Lets its model answer at the first model's address: programs go on calling that one.
   *
   * @throws CupelProblem NOT_READY where there is none yet, or the signal's reason
   */
  async promote(options: AskOptions = {}): Promise<this> {
    return this.letAnswer(this.challengerKey(), options);
  }

  /** Lets the champion answer there again. */
  async takeBack(options: AskOptions = {}): Promise<this> {
    return this.letAnswer(this.about.champion.modelKey, options);
  }

  /** Deletes it, or ends it with its training. The dataset and the model that it made stay. */
  async delete(options: AskOptions = {}): Promise<void> {
    await this.connection.json("DELETE", this.path, only(ASKING, options));
  }

  private challengerKey(): string {
    const { challenger } = this.about;
    if (challenger === null) throw notReady("It has trained no model yet. Call wait().");
    return challenger.modelKey;
  }

  private async modelOf(key: string, options: AskOptions): Promise<Model> {
    const about = await this.connection.json<ModelAbout>("GET", `/api/v1/models/${key}`, only(ASKING, options));
    return new Model(this.connection, about);
  }

  private async letAnswer(key: string, options: AskOptions): Promise<this> {
    // Promoting twice is promoting once.
    await this.connection.json("POST", `/api/v1/models/${key}/promote`, only(ASKING, options));
    await this.look(options);
    return this;
  }
}

/** The successors of models. */
export class Successors {
  private readonly connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.connection = connection;
  }

  /**
   * Trains again with rows whose labels came later (`prediction.outcomes.add`), once there are 100, and does not wait.
   *
   * @throws CupelProblem such as LABELS_UNFIT or SUCCESSOR_UNDER_WAY, or the signal's reason
   */
  async start(model: Model, options: SuccessorOptions = {}): Promise<Successor> {
    const { predictions, oldRows, promote, signal } = only(SUCCEEDING, options);
    const json = { predictions: predictions?.map(({ key }) => key), oldRows, promote };
    const sent = { json, creates: true, signal };
    const path = `/api/v1/models/${model.key}/successors`;
    return new Successor(this.connection, await this.connection.json<SuccessorAbout>("POST", path, sent));
  }

  /** Those of a model and of the models that came of it, newest first. @throws CupelProblem, or the signal's reason */
  of(model: Model, options: AskOptions = {}): AsyncGenerator<Successor, void> {
    return new SuccessorsOf(this.connection, `/api/v1/models/${model.key}/successors`, "successors").list(options);
  }

  /** One, by its key. @throws CupelProblem NOT_FOUND, or the signal's reason */
  async get(key: string, options: AskOptions = {}): Promise<Successor> {
    const path = `${PATH}/${encodeURIComponent(key)}`;
    return new Successor(this.connection, await this.connection.json("GET", path, only(ASKING, options)));
  }
}

class SuccessorsOf extends List<Successor, SuccessorAbout> {
  /** @internal */
  protected itemOf(about: SuccessorAbout): Successor {
    return new Successor(this.connection, about);
  }
}

function notReady(detail: string): Error {
  return ownProblem("NOT_READY", "It is not ready yet", detail);
}
