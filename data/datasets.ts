// Datasets for their user: create, upload, find, list, delete.
import { and, eq, getTableColumns, inArray, isNull, lte, min, sql } from "drizzle-orm";
import { type Database, perDatabase } from "./database/database.ts";
import { deleteOwned, nameHas, type Page, type Paged, pagesOf, type Searched, type Sorted } from "./database/pages.ts";
import type { ColumnSettings } from "./database/records.ts";
import { datasets, trainingJobs } from "./database/schema.ts";
import type { StoredFile } from "./files/file-store.ts";
import type { StoredUpload } from "./refinements/refinement-files.ts";

const { columns: _columns, originalColumns: _original, ...listed } = getTableColumns(datasets);

export type Dataset = typeof datasets.$inferSelect;
export type DatasetListItem = Omit<Dataset, "columns" | "originalColumns">;

export interface NewDataset
  extends Pick<Dataset, "key" | "userKey" | "name" | "description" | "numberOfBuckets">,
    Pick<Dataset, "labelColumn" | "positiveLabel" | "missingValues">,
    Partial<ColumnSettings> {
  /** False where the first record is data; true by default. */
  hasHeader?: boolean;
  origin: DatasetOrigin;
}

export type DatasetOrigin =
  /** PENDING until the file is sent to a signed URL. */
  | { kind: "SIGNED_UPLOAD"; expiresOn: Date }
  /** PROCESSING at once: the file came with the request. */
  | { kind: "DIRECT_UPLOAD"; file: StoredFile }
  /** PROCESSING at once: the file is the refinement's reduced TRAIN table. */
  | {
      kind: "REFINEMENT";
      featureRefinementKey: string;
      recommendedThreshold: number | null;
      originalColumns: readonly string[];
      file: StoredFile;
    }
  /**
   * PROCESSING at once: the file joins a dataset with labelled rows that
   * came later. `originalColumns`: of that dataset.
   */
  | { kind: "SUCCESSOR"; originalColumns: readonly string[] | null; file: StoredFile };

/** The end of a dataset whose upload address expired unused (D11). */
const UPLOAD_EXPIRED = {
  status: "FAILED",
  errorCode: "UPLOAD_EXPIRED",
  errorReason: "No file was sent before the upload address expired. Renew the address, or create a new dataset.",
} as const;

const statements = perDatabase((orm) => {
  const isListed = and(eq(datasets.userKey, sql.placeholder("userKey")), isNull(datasets.deletedOn));
  return {
    owned: orm
      .select()
      .from(datasets)
      .where(and(eq(datasets.key, sql.placeholder("key")), isListed))
      .prepare(),
    list: pagesOf(orm, orm.select(listed).from(datasets).$dynamic(), datasets, and(isListed, nameHas(datasets.name)), {
      name: sql`${datasets.name} COLLATE NOCASE`,
      rowCount: sql`${datasets.rowCount}`,
      columnCount: sql`${datasets.columnCount}`,
      sizeBytes: sql`${datasets.sizeBytes}`,
    }),
    named: orm
      .select({ key: datasets.key })
      .from(datasets)
      .where(and(isListed, eq(datasets.name, sql.placeholder("name"))))
      .prepare(),
  };
});

/** The name is trimmed; null where the user has another dataset of that name. */
export function insertDataset(database: Database, dataset: NewDataset, now: Date): Dataset | null {
  return database.write(() => {
    const { origin, ...asked } = dataset;
    const name = dataset.name.trim();
    if (isDatasetNameTaken(database, dataset.userKey, name)) return null;
    return database.orm
      .insert(datasets)
      .values({
        ...asked,
        ...valuesOf(origin),
        name,
        createdOn: now.toISOString(),
        warnings: [],
        claimed: false,
        restarts: 0,
      })
      .returning()
      .get();
  });
}

/** Case-sensitive, after trimming; names of deleted datasets are free (D28). */
export function isDatasetNameTaken(database: Database, userKey: string, name: string): boolean {
  return statements(database).named.get({ userKey, name: name.trim() }) !== undefined;
}

/** Null for an unknown, foreign or deleted one. */
export function findOwnedDataset(database: Database, userKey: string, key: string): Dataset | null {
  return statements(database).owned.get({ userKey, key }) ?? null;
}

/** Deleted ones too, whoever the owner: for the flows of jobs. */
export function findDataset(database: Database, key: string): Dataset | null {
  return database.orm.select().from(datasets).where(eq(datasets.key, key)).get() ?? null;
}

/** The columns of a processed dataset without the label; undefined before processing. */
export function keptColumnsOf(dataset: Dataset | null): string[] | undefined {
  return dataset?.columns?.map(({ name }) => name).filter((name) => name !== dataset.labelColumn);
}

/** Newest first unless sorted. */
export function listDatasets(
  database: Database,
  userKey: string,
  page: Page & Searched & Sorted,
): Paged<DatasetListItem> {
  return statements(database).list({ userKey, search: page.search ?? "" }, page);
}

/** Names by key, deleted ones too. */
export function datasetNames(database: Database, keys: readonly string[]): Map<string, string> {
  const { key, name } = datasets;
  const rows = database.orm
    .select({ key, name })
    .from(datasets)
    .where(inArray(key, [...keys]))
    .all();
  return new Map(rows.map((row) => [row.key, row.name]));
}

/**
 * Whether an upload would be stored: until processing of an earlier one begins (D33). Asked before the body is read.
 */
export function takesDatasetUpload(database: Database, key: string): boolean {
  const dataset = database.orm
    .select()
    .from(datasets)
    .where(and(eq(datasets.key, key), isNull(datasets.deletedOn)))
    .get();
  if (dataset === undefined) return false;
  const { status, claimed, restarts, uploadExpiresOn } = dataset;
  const isUntouched = status === "PROCESSING" && !claimed && restarts === 0;
  return uploadExpiresOn !== null && (status === "PENDING" || isUntouched);
}

/** PENDING becomes PROCESSING. Until a claim, a second upload replaces the first. Null where it came too late. */
export function storeDatasetUpload(database: Database, key: string, file: StoredFile): StoredUpload | null {
  return database.write(() => {
    if (!takesDatasetUpload(database, key)) return null;
    const { path: filePath, sizeBytes, sha256 } = file;
    const earlierPath = findDataset(database, key)?.filePath ?? null;
    database.orm
      .update(datasets)
      .set({ status: "PROCESSING", filePath, sizeBytes, sha256 })
      .where(eq(datasets.key, key))
      .run();
    return { replacedPath: earlierPath === filePath ? null : earlierPath };
  });
}

/**
 * Lets a dataset whose file has not come wait for it until `expiresOn`, also one that is FAILED because its address
 * expired. CLOSED where the file has come, or comes otherwise.
 */
export function renewDatasetUpload(
  database: Database,
  userKey: string,
  key: string,
  expiresOn: Date,
): "RENEWED" | "CLOSED" | "NOT_FOUND" {
  return database.write(() => {
    const found = findOwnedDataset(database, userKey, key);
    if (found === null) return "NOT_FOUND";
    const { status, errorCode, uploadExpiresOn } = found;
    const isExpired = status === "FAILED" && errorCode === UPLOAD_EXPIRED.errorCode;
    if (uploadExpiresOn === null || (status !== "PENDING" && !isExpired)) return "CLOSED";
    const waiting = { status: "PENDING", errorCode: null, errorReason: null, processedOn: null } as const;
    database.orm
      .update(datasets)
      .set({ ...waiting, uploadExpiresOn: expiresOn.toISOString() })
      .where(eq(datasets.key, key))
      .run();
    return "RENEWED";
  });
}

/**
 * PENDING datasets whose upload address has expired become FAILED (D11), except
 * while an upload is under way; returns their keys.
 */
export function expireDatasetUploads(database: Database, now: Date, isUnderWay: (key: string) => boolean): string[] {
  return database.write(() => {
    const isLapsed = and(sql`${datasets.status} = 'PENDING'`, lte(datasets.uploadExpiresOn, now.toISOString()));
    const lapsed = database.orm.select({ key: datasets.key }).from(datasets).where(isLapsed).all();
    const unused = lapsed.map(({ key }) => key).filter((key) => !isUnderWay(key));
    const failed = { ...UPLOAD_EXPIRED, processedOn: now.toISOString() };
    for (const key of unused) database.orm.update(datasets).set(failed).where(eq(datasets.key, key)).run();
    return unused;
  });
}

/** When the next upload address of a PENDING dataset expires or expired; null where there is none. */
export function nextUploadExpiry(database: Database): Date | null {
  const isPending = sql`${datasets.status} = 'PENDING'`;
  const next = database.orm
    .select({ on: min(datasets.uploadExpiresOn) })
    .from(datasets)
    .where(isPending)
    .get()!;
  return next.on === null ? null : new Date(next.on);
}

/**
 * Frees the name and hides the dataset; models trained on it stay.
 * Idempotent. IN_USE while it is processed or trained on.
 */
export function deleteDataset(
  database: Database,
  userKey: string,
  key: string,
  now: Date,
): "DELETED" | "IN_USE" | "NOT_FOUND" {
  return deleteOwned(database, "datasets", [userKey, key], now, ({ claimed }: { claimed: number }) =>
    claimed === 1 || isTrainedOn(database, key) ? "IN_USE" : null,
  );
}

/** How a dataset is to be read; what is left out stays as it is. */
export interface DatasetChanges extends Partial<ColumnSettings> {
  label?: { labelColumn: string | null; positiveLabel: string | null };
  missingValues?: readonly string[] | null;
}

/**
 * COMPLETED or FAILED becomes PROCESSING again, to be read with the changes (D66, D112). REFINED if it came from a
 * refinement, which chose the columns for its label and their kinds. LABEL_USED for another label if a training ever
 * used the dataset, which learned the other one; IN_TRAINING while one uses it.
 */
export function changeDataset(
  database: Database,
  userKey: string,
  key: string,
  { label, ...changes }: DatasetChanges,
): "CHANGED" | "NOT_READY" | "NO_FILE" | "REFINED" | "LABEL_USED" | "IN_TRAINING" | "NOT_FOUND" {
  return database.write(() => {
    const found = findOwnedDataset(database, userKey, key);
    if (found === null) return "NOT_FOUND";
    if (found.status === "PENDING" || found.status === "PROCESSING") return "NOT_READY";
    if (found.filePath === null) return "NO_FILE";
    if (found.source === "REFINEMENT") return "REFINED";
    const jobs = database.orm.select({ key: trainingJobs.key }).from(trainingJobs);
    const isUsed = jobs.where(eq(trainingJobs.datasetKey, key)).limit(1).get() !== undefined;
    if (label !== undefined && isUsed) return "LABEL_USED";
    if (isTrainedOn(database, key)) return "IN_TRAINING";
    const unread = { processedOn: null, errorReason: null, errorCode: null, warnings: [], restarts: 0 };
    const unknown = { ...unread, classes: null, rowCount: null, columnCount: null, columns: null };
    database.orm
      .update(datasets)
      .set({ ...unknown, ...changes, ...label, status: "PROCESSING" })
      .where(eq(datasets.key, key))
      .run();
    return "CHANGED";
  });
}

function valuesOf(origin: DatasetOrigin) {
  if (origin.kind === "SIGNED_UPLOAD") {
    return { status: "PENDING", source: "UPLOAD", uploadExpiresOn: origin.expiresOn.toISOString() } as const;
  }
  const { path: filePath, sizeBytes, sha256 } = origin.file;
  const processing = { status: "PROCESSING", filePath, sizeBytes, sha256 } as const;
  if (origin.kind === "DIRECT_UPLOAD") return { ...processing, source: "UPLOAD" } as const;
  if (origin.kind === "SUCCESSOR") {
    return { ...processing, source: "UPLOAD", originalColumns: origin.originalColumns } as const;
  }
  const { featureRefinementKey, recommendedThreshold, originalColumns } = origin;
  return { ...processing, source: "REFINEMENT", featureRefinementKey, recommendedThreshold, originalColumns } as const;
}

function isTrainedOn(database: Database, key: string): boolean {
  const isUnfinished = sql`${trainingJobs.status} IN ('PENDING', 'RUNNING')`;
  const where = and(eq(trainingJobs.datasetKey, key), isUnfinished);
  return database.orm.select({ key: trainingJobs.key }).from(trainingJobs).where(where).limit(1).get() !== undefined;
}
