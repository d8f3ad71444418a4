// Datasets of finished refinements: what one is made with, and a name that is free.
import type { Database } from "./database/database.ts";
import { isDatasetNameTaken, type NewDataset } from "./datasets.ts";
import { findRefinementFile } from "./refinements/refinement-files.ts";
import { findRefinementResult, type Refinement } from "./refinements/refinements.ts";

/** Names of datasets are no longer than this. */
const LONGEST_NAME = 30;

type Settings = Omit<NewDataset, "key" | "userKey" | "name" | "description">;

/** The TRAIN rows with the kept columns (D15). Null where the refinement has no whole result. */
export function refinedDatasetOf(database: Database, run: Refinement): Settings | null {
  const { key, userKey, state, numberOfBuckets, labelColumn, positiveLabel, missingValues } = run;
  const { groupColumn, timeColumn, keepKeyColumns, columnChoices } = run;
  const result = findRefinementResult(database, userKey, key);
  const train = findRefinementFile(database, userKey, key, "TRAIN", "RESULT");
  if (state !== "REFINEMENT_COMPLETED" || result === null || train === null) return null;
  const { path, sizeBytes, sha256 } = train;
  return {
    ...{ numberOfBuckets, labelColumn, positiveLabel, missingValues },
    // The columns that the run left out are not in its file.
    ...{ groupColumn, timeColumn, keepKeyColumns, withoutColumns: [] },
    columnChoices: columnChoices.filter(({ name }) => result.keptColumns.includes(name)),
    origin: {
      kind: "REFINEMENT",
      featureRefinementKey: key,
      recommendedThreshold: result.recommendedThreshold,
      originalColumns: result.columns.map(({ name }) => name),
      file: { path, sizeBytes, sha256 },
    },
  };
}

/** The first of `base refined`, `base refined 2` and so on that the user has not given to a dataset. */
export function freeDatasetName(
  database: Database,
  userKey: string,
  base: string,
  word: "refined" | "successor" = "refined",
): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? ` ${word}` : ` ${word} ${count}`;
    const name = `${[...base]
      .slice(0, LONGEST_NAME - end.length)
      .join("")
      .trim()}${end}`;
    if (!isDatasetNameTaken(database, userKey, name)) return name;
  }
}
