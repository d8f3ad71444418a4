// The tables of files that are on their way, as drizzle sees them; see schema.ts for how they are written.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { UploadKind } from "./states.ts";

/** Files that arrive in pieces (D116). Unfinished ones lie in the state folder at `statePaths.unfinished(key)`. */
export const resumableUploads = sqliteTable("resumableUploads", {
  key: text().primaryKey(),
  /** The dataset, refinement or prediction that the file is for. */
  resourceKey: text().notNull(),
  kind: text().$type<UploadKind>().notNull(),
  userKey: text().notNull(),
  /** The size of the whole file. */
  sizeBytes: integer().notNull(),
  /** On the disk and acknowledged; all of them once completed. */
  receivedBytes: integer().notNull(),
  createdOn: text().notNull(),
  expiresOn: text().notNull(),
  completedOn: text(),
});

/** Requests for an address for a file to predict. A row goes once the file is there. */
export const predictionUploads = sqliteTable("predictionUploads", {
  /** The prediction's later. */
  key: text().primaryKey(),
  userKey: text().notNull(),
  /** Where an API key asked for the user. */
  apiKeyId: text(),
  modelKey: text().notNull(),
  filterColumns: integer({ mode: "boolean" }).notNull(),
  hasHeader: integer({ mode: "boolean" }).notNull(),
  reasonCount: integer().notNull(),
  /** As the client calls it. */
  fileName: text(),
  expiresOn: text().notNull(),
});
