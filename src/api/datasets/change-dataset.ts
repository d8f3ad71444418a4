// Changes how a dataset is read: another label, other kinds of columns, other texts that mean "no value" (D66, D112).
import { type Static, Type } from "@sinclair/typebox";
import type { ColumnSettings } from "../../../data/database/records.ts";
import { changeDataset, type Dataset, type DatasetChanges, findOwnedDataset } from "../../../data/datasets.ts";
import { ApiError, found, noSuch, wrongField } from "../../http/problem.ts";
import { Key, named, orNull } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { changedChoices } from "../column-choices.ts";
import { EXAMPLES } from "../examples.ts";
import { CHANGED_KEY_SETTINGS, requireKnownColumns } from "../key-columns.ts";
import type { Services } from "../services.ts";
import { LabelColumn, MissingValues, PositiveLabel } from "../table-settings.ts";
import { noFile, tryOpening } from "./dataset-preview.ts";

const Changes = Type.Object({
  labelColumn: Type.Optional(LabelColumn),
  positiveLabel: Type.Optional(orNull(PositiveLabel)),
  missingValues: Type.Optional(orNull(MissingValues)),
  ...CHANGED_KEY_SETTINGS,
});

/** Changes as clients write them. */
export type ChangedDataset = Static<typeof Changes>;

const Changed = Type.Object({ datasetKey: Key, status: Type.Literal("PROCESSING") });

named({ DatasetChanges: Changes, ChangedDataset: Changed });

export function changeDatasetRoute(services: Services): Route {
  const { database, wake } = services;
  return route({
    method: "PATCH",
    path: "/api/v1/datasets/{datasetKey}",
    operationId: "changeDataset",
    tag: "Datasets",
    summary: "Choose how a dataset is read",
    description:
      "Its label, the kinds of columns, texts that mean a missing value, group and time, columns to leave out. " +
      "Only what is named changes, and null undoes. A COMPLETED or FAILED dataset is read again; " +
      "it is PROCESSING until then. Trainings and refinements of it take these choices unless they name others. " +
      "Refused while a training uses it and if it came from a refinement; " +
      "another label also once it was trained on.",
    decisions: ["D31", "D38", "D48", "D66", "D93", "D112"],
    body: Changes,
    bodyExample: {
      labelColumn: "left",
      withoutColumns: ["customer"],
      columnChoices: [{ name: "zip", kind: "category" }],
    },
    answer: {
      status: 200,
      description: "The dataset is read again.",
      schema: Changed,
      example: { datasetKey: EXAMPLES.datasetKey, status: "PROCESSING" },
    },
    problems: ["NOT_FOUND", "DATASET_NOT_READY", "FILE_REMOVED", "IN_USE"],
    handle: (call) => {
      const { datasetKey } = call.params;
      const { userKey } = call.caller;
      const dataset = found("dataset", findOwnedDataset(database, userKey, datasetKey));
      const changes = changesOf(dataset, call.body);
      requireColumns(dataset, changes, call.body, services);
      const action = changes.label === undefined ? "DATASET_CHANGED" : "DATASET_RELABELLED";
      const outcome = audited(
        services,
        call,
        () => changeDataset(database, userKey, datasetKey, changes),
        (done) => (done === "CHANGED" ? { action, objectKey: datasetKey } : null),
      );
      if (outcome !== "CHANGED") throw refusal(outcome, dataset);
      wake();
      return { datasetKey, status: "PROCESSING" as const };
    },
  });
}

/** @throws ApiError VALIDATION_FAILED where nothing is asked for, or a column has two choices */
function changesOf(dataset: Dataset, changes: ChangedDataset): DatasetChanges {
  if (Object.keys(changes).length === 0) {
    const message = `Name what is to change: ${Object.keys(Changes.properties).join(", ")}.`;
    throw wrongField("body", "REQUIRED", message);
  }
  const label = labelOf(dataset, changes);
  return {
    ...(label !== null && { label }),
    ...(changes.missingValues !== undefined && { missingValues: changes.missingValues }),
    ...(changes.groupColumn !== undefined && { groupColumn: changes.groupColumn }),
    ...(changes.timeColumn !== undefined && { timeColumn: changes.timeColumn }),
    ...(changes.keepKeyColumns !== undefined && { keepKeyColumns: changes.keepKeyColumns ?? false }),
    ...(changes.withoutColumns !== undefined && { withoutColumns: [...new Set(changes.withoutColumns ?? [])] }),
    ...(changes.columnChoices !== undefined && {
      columnChoices: changedChoices(dataset.columnChoices, changes.columnChoices),
    }),
  };
}

/** Null if it stays. Another label has no positive label unless the request names one with it. */
function labelOf(dataset: Dataset, changes: ChangedDataset): NonNullable<DatasetChanges["label"]> | null {
  const { labelColumn = dataset.labelColumn } = changes;
  const isOther = labelColumn !== dataset.labelColumn;
  const { positiveLabel = isOther ? null : dataset.positiveLabel } = changes;
  return isOther || positiveLabel !== dataset.positiveLabel ? { labelColumn, positiveLabel } : null;
}

/**
 * Refuses columns that the file does not have, and the label where it cannot stand. @throws ApiError VALIDATION_FAILED
 */
function requireColumns(
  dataset: Dataset,
  { label, ...changes }: DatasetChanges,
  { columnChoices }: ChangedDataset,
  { state }: Services,
): void {
  const { filePath, hasHeader, columns } = dataset;
  if (filePath === null) return;
  const names = columns?.map(({ name }) => name) ?? tryOpening(state.locate(filePath), hasHeader)?.columns;
  if (names === undefined) return;
  const settings: ColumnSettings = { ...dataset, ...changes };
  requireKnownColumns(settings, names, label === undefined ? dataset.labelColumn : label.labelColumn, (name) => {
    const at = columnChoices?.findIndex((each) => each.name === name) ?? -1;
    return at < 0 ? "columnChoices" : `columnChoices.${at}.name`;
  });
}

function refusal(outcome: Exclude<ReturnType<typeof changeDataset>, "CHANGED">, dataset: Dataset): ApiError {
  switch (outcome) {
    case "NOT_FOUND":
      return noSuch("dataset");
    case "NOT_READY":
    case "NO_FILE":
      return noFile(dataset);
    case "LABEL_USED":
      return inUse("A training has used this dataset's label already: make a new dataset of the file.");
    case "REFINED":
      return inUse(
        "A refinement chose these columns as they were read: change the dataset that was refined, and refine it again.",
      );
    case "IN_TRAINING":
      return inUse("A training uses this dataset: wait for it, or cancel it.");
  }
}

function inUse(message: string): ApiError {
  return new ApiError("IN_USE", message);
}
