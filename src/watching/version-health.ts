// A version of a model over the last months: its counted days beside its training rows.
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { dayOf, listWatchDays, type VersionId } from "../../data/watch-counts.ts";
import { readWatchedModel, type WatchedModel } from "../../engine/model/model-file.ts";
import { type Health, healthOf } from "../../engine/watch/health.ts";
import { withParts } from "../../workers/file-chunks.ts";

export interface VersionHealth extends Health {
  labels: readonly string[];
  heldOut: WatchedModel["heldOut"] | null;
}

/** The first day of so many calendar months, this one among them. */
export function firstDay(now: Date, months: number): string {
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 - months, 1)));
}

/**
 * Blocks: reads the head of the model's file and the days of this month and the `months - 1` before it. `isLatestOnly`: see `healthOf`.
 *
 * @throws InputError where there is no model at the path
 */
export function versionHealth(
  { database, state }: { database: Database; state: Pick<StateFolder, "locate"> },
  version: VersionId & { filePath: string },
  now: Date,
  months: number,
  isLatestOnly = false,
): VersionHealth {
  const model = withParts(state.locate(version.filePath), readWatchedModel);
  const health = healthOf(model, listWatchDays(database, version, firstDay(now, months)), dayOf(now), isLatestOnly);
  return { ...health, labels: model.labels, heldOut: model.heldOut ?? null };
}
