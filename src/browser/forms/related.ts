// How new rows are related to those of a table, as forms ask for it, trainings are told it and addresses hold it.
import type { KeyRequest } from "../../../workers/reading/profile-file.ts";

export interface Related extends Required<KeyRequest> {
  withoutColumns: string[];
}

export const UNRELATED: Related = { groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [] };

/** The settings of a dataset or a training alone. */
export function relatedOf({ groupColumn, timeColumn, keepKeyColumns, withoutColumns }: Related): Related {
  return { groupColumn, timeColumn, keepKeyColumns, withoutColumns };
}

/** The settings that differ from the dataset's, which the server takes where a request has none. */
export function changesFrom(inherited: Related, related: Related): Partial<Related> {
  const isKey = related.groupColumn !== null || related.timeColumn !== null;
  const wanted = { ...related, keepKeyColumns: isKey && related.keepKeyColumns };
  const isSame = (name: keyof Related) => JSON.stringify(wanted[name]) === JSON.stringify(inherited[name]);
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !isSame(name as keyof Related)));
}

/** The settings with those of a remedy; columns that are left out stay so. */
export function remedied(related: Related, changes: KeyRequest): Related {
  const withoutColumns = [...new Set([...related.withoutColumns, ...(changes.withoutColumns ?? [])])];
  return { ...related, ...changes, withoutColumns };
}

/** All settings as fields of an address; `related` says that they are there, even if none is chosen. */
export function relatedFields({ groupColumn, timeColumn, keepKeyColumns, withoutColumns }: Related) {
  return {
    related: 1,
    group: groupColumn,
    time: timeColumn,
    keep: keepKeyColumns ? 1 : null,
    without: withoutColumns,
  };
}

/** Null where the address has none. */
export function relatedIn(query: URLSearchParams): Related | null {
  if (!query.has("related")) return null;
  return {
    groupColumn: query.get("group"),
    timeColumn: query.get("time"),
    keepKeyColumns: query.has("keep"),
    withoutColumns: query.getAll("without"),
  };
}

/** The columns that models are judged by, in a few words; empty where rows are drawn at random. */
export function judgedInWords({ groupColumn, timeColumn }: Related): string {
  const group = groupColumn === null ? [] : [`by ${groupColumn}`];
  const time = timeColumn === null ? [] : [`by time (${timeColumn})`];
  return [...group, ...time].join(" and ");
}

/** All settings in sentences; empty where none is chosen. */
export function relatedInWords(related: Related): string {
  const judged = judgedInWords(related);
  const { withoutColumns } = related;
  return [
    ...(judged === "" ? [] : [`Judged ${judged}.`]),
    ...(withoutColumns.length === 0 ? [] : [`Trained without ${withoutColumns.join(", ")}.`]),
  ].join(" ");
}
