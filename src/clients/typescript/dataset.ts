// A dataset: a labelled table that the server has read, and is ready to learn from.

import type { DatasetAbout, DatasetDetail } from "./answers.ts";
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { List } from "./lists.ts";
import { type Names, only } from "./options.ts";
import { CupelProblem, ownProblem } from "./problem.ts";
import { Resource } from "./resource.ts";
import { blobOf, type Table } from "./tables.ts";
import { type UploadTarget, upload } from "./upload.ts";
import { polled, WAITING, type WaitOptions } from "./waiting.ts";

/** How models of a table are judged, and what they may not see. */
export interface JudgingOptions {
  /** The column that says which rows belong together, such as those of one machine: they are held out together. */
  groupColumn?: string | null | undefined;
  /** The column that says when a row was recorded: the newest rows are held out. */
  timeColumn?: string | null | undefined;
  /** Whether models may learn from these two columns. */
  keepKeyColumns?: boolean | undefined;
  /** Columns that nothing is learned from. */
  withoutColumns?: readonly string[] | undefined;
}

/** How a table is read and judged. */
export interface DatasetOptions extends JudgingOptions, WaitOptions {
  /** The column with the answers; the last one unless it is named. */
  label?: string | undefined;
  /** 3 to 30 characters, unique. By default the file's name and a few random digits. */
  name?: string | undefined;
  description?: string | undefined;
  /** With two labels, the one that precision, recall and F1 are for. */
  positiveLabel?: string | undefined;
  /** Texts that mean "no value", in place of the usual ones. */
  missingValues?: readonly string[] | undefined;
  /** False if the first row is data. */
  hasHeader?: boolean | undefined;
  numberOfBuckets?: number | undefined;
  /** How single columns are read: their kind, and the texts that mean "no value" there. */
  columnChoices?: readonly ColumnChoice[] | undefined;
}

export const JUDGING: Names<JudgingOptions> = {
  ...{ groupColumn: true, timeColumn: true, keepKeyColumns: true, withoutColumns: true },
};
/** Without what a dataset is called by. */
export const TABLE: Names<Omit<DatasetOptions, "name" | "description">> = {
  ...{ label: true, positiveLabel: true, missingValues: true, hasHeader: true },
  ...{ numberOfBuckets: true, columnChoices: true },
  ...{ ...JUDGING, ...WAITING },
};
export const DATASET: Names<DatasetOptions> = { name: true, description: true, ...TABLE };

export interface ColumnChoice {
  name: string;
  kind?: "number" | "date" | "category" | "text" | undefined;
  missingTexts?: readonly string[] | undefined;
}

interface Created {
  datasetKey: string;
  datasetUploadInfo: UploadTarget;
}

const LONGEST_NAME = 30;
const RANDOM_DIGITS = 8;

export class Dataset extends Resource<DatasetAbout, DatasetDetail> {
  /** @internal */
  constructor(connection: Connection, about: DatasetAbout) {
    super(connection, "/api/v1/datasets", about.datasetKey, about);
  }

  /** Resolves once the file is read. @throws CupelProblem DATASET_FAILED, or the signal's reason */
  async wait(options: WaitOptions = {}): Promise<this> {
    only(WAITING, options);
    const progress = { stage: "reading", key: this.key, elapsedSeconds: 0, bestPerformance: null } as const;
    const detail = await polled<DatasetDetail>(this.connection, this.path, options, {
      isOver: ({ status }) => status === "COMPLETED" || status === "FAILED",
      show: ({ status }) => ({ ...progress, share: status === "COMPLETED" ? 1 : null }),
    });
    this.about = detail;
    if (detail.status === "COMPLETED") return this;
    const code = detail.errorCode === null ? "" : ` (${detail.errorCode})`;
    const reason = detail.errorReason ?? "The server does not say why.";
    throw ownProblem("DATASET_FAILED", "The file cannot be used", `${reason}${code}`);
  }

  /** Its file goes; models that learned from it stay. */
  async delete(options: AskOptions = {}): Promise<void> {
    await this.connection.json("DELETE", this.path, only(ASKING, options));
  }
}

/** All datasets of the account, newest first. */
export class Datasets extends List<Dataset, DatasetAbout> {
  /** @internal */
  constructor(connection: Connection) {
    super(connection, "/api/v1/datasets", "datasets");
  }

  /**
   * Sends a labelled table and waits until the server has read it. What cannot be used leaves no dataset behind.
   *
   * @throws CupelProblem such as NAME_TAKEN or DATASET_FAILED, or the signal's reason
   */
  async create(table: Table, options: DatasetOptions = {}): Promise<Dataset> {
    const { signal, onProgress } = only(DATASET, options);
    const { blob, name: fileName } = await blobOf(table, signal);
    const json = { ...settingsOf(options), name: options.name ?? unusedName(fileName) };
    const created = await this.connection.json<Created>("POST", "/api/v1/datasets", { json, creates: true, signal });
    const dataset = await this.get(created.datasetKey, { signal });
    const progress = { stage: "uploading", key: dataset.key, elapsedSeconds: 0, bestPerformance: null } as const;
    try {
      await upload(this.connection, created.datasetUploadInfo, blob, {
        onShare: (share) => onProgress?.({ ...progress, share }),
        signal,
      });
    } catch (error) {
      // It would only occupy its name. Without the signal, which may be what ended it.
      await dataset.delete().catch(() => undefined);
      throw error;
    }
    try {
      return await dataset.wait({ signal, onProgress });
    } catch (error) {
      if (error instanceof CupelProblem && error.code === "DATASET_FAILED")
        await dataset.delete().catch(() => undefined);
      throw error;
    }
  }

  /** @internal */
  protected itemOf(about: DatasetAbout): Dataset {
    return new Dataset(this.connection, about);
  }
}

/** As the server takes them; it refuses others, and has a default for those that are left out. */
export function settingsOf(options: DatasetOptions) {
  const { label: labelColumn, description, positiveLabel, missingValues, hasHeader, numberOfBuckets } = options;
  const table = { labelColumn, description, positiveLabel, missingValues, hasHeader, numberOfBuckets };
  return { ...table, columnChoices: options.columnChoices, ...judgingOf(options) };
}

export function judgingOf({ groupColumn, timeColumn, keepKeyColumns, withoutColumns }: JudgingOptions) {
  return { groupColumn, timeColumn, keepKeyColumns, withoutColumns };
}

/** The file's name without its ending, as far as there is room for it. */
export function unusedName(fileName: string): string {
  const digits = crypto.randomUUID().slice(0, RANDOM_DIGITS);
  const stem = fileName.replace(/\.[^.]*$/, "").replace(/[\p{Cc}\u2028\u2029]/gu, " ");
  return `${[...stem].slice(0, LONGEST_NAME - RANDOM_DIGITS - 1).join("")} ${digits}`.trim();
}
