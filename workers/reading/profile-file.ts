// The first pass over a table on disk: its profile, its hash, its size.
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import { withReadLetters } from "../../engine/csv/read.ts";
import type { CsvHeader } from "../../engine/csv/types.ts";
import type { TableProfile } from "../../engine/profile/profile.ts";
import { TableProfiler } from "../../engine/profile/profiler.ts";
import type { StopSignal } from "../../engine/stop-signal.ts";
import { type HashedCsv, readHashedCsv } from "./hashed-csv.ts";

/** The columns that say which rows belong together, and which came first. */
export interface KeyRequest {
  groupColumn?: string | null;
  timeColumn?: string | null;
  /** True where these columns are features too; false by default. */
  keepKeyColumns?: boolean;
  /** Columns that nothing is learned from. */
  withoutColumns?: readonly string[];
}

/** These settings alone, each with its default. */
export function keyRequestOf({
  groupColumn = null,
  timeColumn = null,
  keepKeyColumns = false,
  withoutColumns = [],
}: KeyRequest): Required<KeyRequest> {
  return { groupColumn, timeColumn, keepKeyColumns, withoutColumns };
}

/** Only the choices that differ from the defaults: they become part of what identifies the work. */
export function askedColumnsOf(request: KeyRequest & Pick<ReadTableRequest, "columnChoices">): object {
  const { groupColumn, timeColumn, keepKeyColumns, withoutColumns } = keyRequestOf(request);
  const { columnChoices = [] } = request;
  const asksForNone = groupColumn === null && timeColumn === null && !keepKeyColumns && withoutColumns.length === 0;
  return {
    ...(!asksForNone && { groupColumn, timeColumn, keepKeyColumns, withoutColumns }),
    ...(columnChoices.length > 0 && { columnChoices }),
  };
}

export interface ReadTableRequest extends KeyRequest {
  path: string;
  /** Name of the label column; null for the last one. */
  label: string | null;
  /** Texts that count as missing; null for the usual list. */
  missingMarkers: readonly string[] | null;
  /** The user's choices for single columns; none by default. */
  columnChoices?: readonly ColumnChoice[];
  /** False where the first record is data; true by default. */
  hasHeader?: boolean;
  /** The file's SHA-256 where it is known, as for stored files; otherwise it is taken while the file is read. */
  sha256?: string | null;
}

export interface ProfiledFile extends HashedCsv {
  profile: TableProfile;
}

/**
 * `logBytes`: see `ProfilerOptions`. Throws InputError where the file cannot
 * be read as a table or has no such label column.
 */
export function profileFile(
  { path, label, missingMarkers, columnChoices = [], sha256 = null, hasHeader = true }: ReadTableRequest,
  stop: StopSignal,
  logBytes: number,
): ProfiledFile {
  let profiler: TableProfiler | null = null;
  const start = ({ names, delimiter }: CsvHeader) => {
    const fresh = new TableProfiler(names, {
      delimiter,
      label,
      logBytes,
      hasHeader,
      choices: columnChoices,
      ...(missingMarkers === null ? {} : { missingMarkers }),
    });
    profiler = fresh;
    return fresh;
  };
  const file = readHashedCsv({ path, hasHeader }, sha256, stop, start);
  const profile = (profiler as TableProfiler | null)!.finish();
  const texts = [...file.report.header.names, ...profile.label.classes.map((each) => each.label)];
  const warnings = withReadLetters(file.report.warnings, texts);
  return { ...file, report: { ...file.report, warnings }, profile };
}
