// A refinement: which columns of a dataset carry signal, and the dataset of those.

import type { RefinementAbout, RefinementProgress, RefinementResult } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { Dataset, type DatasetOptions, settingsOf, TABLE, unusedName } from "./dataset.ts";
import { Download } from "./download.ts";
import { List } from "./lists.ts";
import { type Names, only } from "./options.ts";
import { ownProblem } from "./problem.ts";
import { Resource } from "./resource.ts";
import { blobOf, type Table } from "./tables.ts";
import { upload } from "./upload.ts";
import { polled, WAITING, type WaitOptions } from "./waiting.ts";

const PATH = "/api/v1/feature-refinery";
const ENDS = ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT", "CANCELLED"];

/** Name and description of the dataset of the kept columns. */
export type KeptColumnsOptions = WaitOptions & Pick<DatasetOptions, "name" | "description" | "numberOfBuckets">;

const KEEPING: Names<KeptColumnsOptions> = { name: true, description: true, numberOfBuckets: true, ...WAITING };

export class Refinement extends Resource<RefinementAbout> {
  /** @internal */
  constructor(connection: Connection, about: RefinementAbout) {
    super(connection, PATH, about.featureRefinementKey, about);
  }

  /** Resolves once it has its result. @throws CupelProblem REFINEMENT_FAILED, or the signal's reason */
  async wait(options: WaitOptions = {}): Promise<this> {
    const { signal } = only(WAITING, options);
    const { state, errorReason } = await polled<RefinementProgress>(this.connection, `${this.path}/progress`, options, {
      isOver: (progress) => ENDS.includes(progress.state),
      show: (refinement) => {
        const { progressCompleted: done, progressTotal: total, elapsedSeconds } = refinement;
        const share = total === null || total === 0 ? null : Math.min(1, (done ?? 0) / total);
        return { stage: "refining", key: this.key, share, elapsedSeconds, bestPerformance: null, refinement };
      },
    });
    await this.look({ signal });
    if (state === "REFINEMENT_COMPLETED") return this;
    throw ownProblem("REFINEMENT_FAILED", "The refinement has failed", errorReason ?? `It is ${state}.`);
  }

  /** The decision about every column. @throws CupelProblem NOT_READY, or the signal's reason */
  async result(options: AskOptions = {}): Promise<RefinementResult> {
    return this.connection.json("GET", `${this.path}/result`, only(ASKING, options));
  }

  /** A file with the kept columns alone. */
  file(kind: "TRAIN" | "TEST" = "TRAIN"): Download {
    return new Download(
      this.connection,
      `refinement-${this.key}-${kind.toLowerCase()}.csv`,
      `${this.path}/files/${kind}`,
    );
  }

  /** Makes a dataset of the kept columns, and waits until it is read. @throws CupelProblem, or the signal's reason */
  async dataset(options: KeptColumnsOptions = {}): Promise<Dataset> {
    const { name = unusedName(this.about.trainFileName ?? this.about.name), signal } = only(KEEPING, options);
    const { description, numberOfBuckets, onProgress } = options;
    const path = `/api/v1/datasets/feature-refinery/${this.key}`;
    const sent = { json: { name, description, numberOfBuckets }, creates: true, signal };
    const { datasetKey } = await this.connection.json<{ datasetKey: string }>("POST", path, sent);
    const dataset = new Dataset(
      this.connection,
      await this.connection.json("GET", `/api/v1/datasets/${datasetKey}`, { signal }),
    );
    return dataset.wait({ onProgress, signal });
  }

  /** Ends the server's work. */
  async cancel(options: AskOptions = {}): Promise<void> {
    await this.connection.json("PATCH", `${this.path}/cancel`, only(ASKING, options));
  }

  async delete(options: AskOptions = {}): Promise<void> {
    await this.connection.json("DELETE", this.path, only(ASKING, options));
  }
}

export interface RefineOptions extends WaitOptions {
  /** Letters, digits, blanks, hyphens and underscores; by default the time. */
  name?: string | undefined;
  /** Removes columns that nearly give the label away, instead of keeping them with a warning. */
  removeLeaks?: boolean | undefined;
  /** Buckets of each column of numbers: 4, 10 or 20; 20 by default. */
  numberOfBuckets?: number | undefined;
}

/** How two tables are read and judged, and their columns chosen. */
export type TwoTablesOptions = RefineOptions & Omit<DatasetOptions, "name" | "description">;

export const REFINING: Names<RefineOptions> = { name: true, removeLeaks: true, numberOfBuckets: true, ...WAITING };
const TWO_TABLES: Names<TwoTablesOptions> = { ...REFINING, ...TABLE };

interface Created {
  featureRefinementKey: string;
  uploadTargets: { kind: "TRAIN" | "TEST"; url: string; requiredHeader: string }[];
}

/** All refinements of the account, newest first. */
export class Refinements extends List<Refinement, RefinementAbout> {
  /** @internal */
  constructor(connection: Connection) {
    super(connection, PATH, "refinements");
  }

  /** Begins one on a dataset, and does not wait. @throws CupelProblem, or the signal's reason */
  async start(dataset: Dataset, options: RefineOptions = {}): Promise<Refinement> {
    const { name, removeLeaks, numberOfBuckets, signal } = only(REFINING, options);
    const path = `${PATH}/datasets/${dataset.key}`;
    const sent = { json: { name, removeLeaks, numberOfBuckets }, creates: true, signal };
    const { featureRefinementKey } = await this.connection.json<RefinementAbout>("POST", path, sent);
    return this.get(featureRefinementKey, { signal });
  }

  /**
   * Begins one on two tables of its own, and does not wait: columns are chosen on `train`, and `test` may only reject
   * the choice. If sending fails, nothing of it stays on the server.
   *
   * @throws CupelProblem, or the signal's reason
   */
  async startOn(train: Table, test: Table, options: TwoTablesOptions = {}): Promise<Refinement> {
    const { name, removeLeaks, signal, onProgress } = only(TWO_TABLES, options);
    const tables = { TRAIN: await blobOf(train, signal), TEST: await blobOf(test, signal) };
    const names = { trainFileName: tables.TRAIN.name, testFileName: tables.TEST.name };
    const json = { name, removeLeaks, ...names, ...settingsOf(options) };
    const created = await this.connection.json<Created>("POST", PATH, { json, creates: true, signal });
    const key = created.featureRefinementKey;
    const refinement = await this.get(key, { signal });
    const progress = { stage: "uploading", key, elapsedSeconds: 0, bestPerformance: null } as const;
    try {
      for (const { kind, url, requiredHeader } of created.uploadTargets) {
        const [header = "", value = ""] = requiredHeader.split(": ");
        await upload(this.connection, { uploadUrl: url, extraHeaders: { [header]: value } }, tables[kind].blob, {
          onShare: (share) => onProgress?.({ ...progress, share: (share + (kind === "TEST" ? 1 : 0)) / 2 }),
          signal,
        });
      }
      await this.connection.json("POST", `${PATH}/${key}/start`, { signal });
    } catch (error) {
      // Without the signal, which may be what ended it.
      await refinement.delete().catch(() => undefined);
      throw error;
    }
    return refinement;
  }

  /** @internal */
  protected itemOf(about: RefinementAbout): Refinement {
    return new Refinement(this.connection, about);
  }
}
