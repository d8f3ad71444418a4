// Translates a command's options about a table into the client's.
import type { KeyRequest, ReadTableRequest } from "../../workers/reading/profile-file.ts";
import type { DatasetOptions } from "../clients/typescript/dataset.ts";

/** As the command line reads them. */
export type TableOptions = KeyRequest &
  Pick<ReadTableRequest, "label" | "missingMarkers" | "columnChoices" | "hasHeader"> & {
    positiveLabel?: string | null;
  };

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
