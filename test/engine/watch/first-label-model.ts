// A model that always answers the first label, for tests in which only the counts of rows matter.
import { modelFeatures } from "../../../engine/model/model-features.ts";
import type { ModelFile } from "../../../engine/model/model-file.ts";
import { fitBuckets } from "../../../engine/table/buckets.ts";
import type { Table } from "../../../engine/table/table.ts";
import { countTable } from "../../../engine/watch/count-table.ts";
import { everyRow } from "../../support/tables.ts";

export function firstLabelModel(table: Table, columns: ModelFile["columns"], buckets: number): ModelFile {
  const features = modelFeatures(table, fitBuckets(table, everyRow(table), buckets));
  return {
    lineage: { rowCount: table.rowCount, version: 1, algorithm: "" } as ModelFile["lineage"],
    ...{ label: "y", labels: table.labels, positiveLabel: null, missingMarkers: ["?"], columns, features },
    model: {
      ...{ kind: "additive", classCount: 2, outputCount: 1, intercepts: Float64Array.of(-1) },
      tables: features.map(() => null),
    } as ModelFile["model"],
    reference: countTable(table, everyRow(table)),
  };
}
