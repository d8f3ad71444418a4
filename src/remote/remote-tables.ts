// Translates a command's options about a table into the client's.
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import type { DatasetOptions } from "../clients/typescript/dataset.ts";

/** As the command line reads them. */
export interface TableOptions {
  label: string | null;
  positiveLabel?: string | null;
  missingMarkers: readonly string[] | null;
  columnChoices?: readonly ColumnChoice[];
  hasHeader?: boolean;
  groupColumn?: string | null;
  timeColumn?: string | null;
  keepKeyColumns?: boolean;
  withoutColumns?: readonly string[];
}

export function tableSettings(options: TableOptions): DatasetOptions {
  const { label, positiveLabel, missingMarkers, columnChoices = [], hasHeader } = options;
  const { groupColumn, timeColumn, keepKeyColumns, withoutColumns } = options;
  return {
    label: label ?? undefined,
    positiveLabel: positiveLabel ?? undefined,
    missingValues: missingMarkers ?? undefined,
    columnChoices: columnChoices.length === 0 ? undefined : columnChoices,
    hasHeader,
    groupColumn: groupColumn ?? undefined,
    timeColumn: timeColumn ?? undefined,
    keepKeyColumns,
    withoutColumns,
  };
}
