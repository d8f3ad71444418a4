// The doubts of a dataset's newest training that a choice for its columns may answer, and none has answered yet.
import type { Database } from "../../../data/database/database.ts";
import type { VerdictRecord } from "../../../data/database/records.ts";
import type { Dataset } from "../../../data/datasets.ts";
import { newestVerdict } from "../../../data/training-jobs.ts";

const ABOUT_COLUMNS: ReadonlySet<string> = new Set(["GROUPS_FLATTER", "TIME_FLATTERS", "SORTED_FILE", "LEAK_SUSPECT"]);

export function openDoubts(dataset: Dataset, database: Database): VerdictRecord["doubts"] {
  if (dataset.status !== "COMPLETED") return [];
  const { groupColumn, timeColumn, withoutColumns, columns } = dataset;
  const answered = new Set([groupColumn, timeColumn, ...withoutColumns]);
  const known = new Set(columns?.map(({ name }) => name));
  const doubts = newestVerdict(database, dataset.userKey, dataset.key)?.doubts ?? [];
  return doubts.filter(
    ({ code, columns: names }) =>
      ABOUT_COLUMNS.has(code) && names.every((name) => known.has(name)) && !names.some((name) => answered.has(name)),
  );
}
