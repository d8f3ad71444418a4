// How a dataset is read, and changes of that on their way to the server.
import type { ColumnChoice } from "../../../engine/columns/choices.ts";
import type { ChangedDataset } from "../../api/datasets/change-dataset.ts";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import type { Related } from "./related.ts";

/** How a dataset is read, as the page shows it. */
export interface Choices extends Related, Pick<DatasetRecord, "labelColumn" | "missingValues"> {
  columnChoices: readonly ColumnChoice[];
}

/** A list of choices changes those columns alone. */
export type Changes = Omit<ChangedDataset, "positiveLabel" | "columnChoices"> & {
  columnChoices?: NonNullable<ChangedDataset["columnChoices"]>;
};

/** The changes of both; of the same thing the later one. */
export function merged(before: Changes, after: Changes): Changes {
  if (before.columnChoices === undefined || after.columnChoices === undefined) return { ...before, ...after };
  const choices = new Map(before.columnChoices.map((choice) => [choice.name, choice]));
  for (const choice of after.columnChoices) choices.set(choice.name, { ...choices.get(choice.name), ...choice });
  return { ...before, ...after, columnChoices: [...choices.values()] };
}

/** The choices as they will be. */
export function changed(stored: Choices, changes: Changes): Choices {
  const choices = new Map(stored.columnChoices.map((choice) => [choice.name, choice]));
  for (const { name, ...change } of changes.columnChoices ?? []) {
    const { kind = null, missingTexts = null } = { ...choices.get(name), ...change };
    choices.set(name, { name, ...(kind !== null && { kind }), ...(missingTexts !== null && { missingTexts }) });
  }
  const { labelColumn, groupColumn, timeColumn, keepKeyColumns, withoutColumns, missingValues } = {
    ...stored,
    ...changes,
  };
  return {
    ...{ labelColumn, groupColumn, timeColumn, missingValues },
    keepKeyColumns: keepKeyColumns ?? false,
    withoutColumns: withoutColumns ?? [],
    columnChoices: [...choices.values()],
  };
}

/** Whether the dataset is not read as it would be by itself: where it failed, other choices may help. */
export function hasChoices({ groupColumn, timeColumn, ...lists }: Choices): boolean {
  const { withoutColumns, columnChoices, missingValues } = lists;
  const hasKeys = groupColumn !== null || timeColumn !== null;
  return hasKeys || missingValues !== null || withoutColumns.length + columnChoices.length > 0;
}

/** The choice for a column; an empty choice where there is none. */
export function choiceOf({ columnChoices }: Choices, name: string): ColumnChoice {
  return columnChoices.find((choice) => choice.name === name) ?? { name };
}
